"""Judges that have learned nothing yet, and the folder that they start from, as a recipe describes them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from farthing.core.errors import UsageError
from farthing.core.progress import Log, silent_log
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.match.model import Judge
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import JudgeRecipe, SourceRecipe
from farthing.learn.match.table import write_rounded
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens, StaticTokens, load_transformer
from farthing.learn.match.vocabulary import pruned
from farthing.learn.match.work import Work, folder_key, step_key

TOKEN_WIDTH = 128  # numbers per token vector if the recipe does not say


def new_judge(start: JudgeRecipe, kind: str, folder: Path) -> Judge:
    """Make a judge.

    :param folder: the model that it starts from
    """
    torch.manual_seed(start.training.seed)
    tokens: ContextualTokens | StaticTokens
    if kind == "static":
        tokens = StaticTokens(Tokenizer(folder).size, start.width or TOKEN_WIDTH, window=start.window)
    else:
        skip = torch.zeros(Tokenizer(folder).size, start.width or TOKEN_WIDTH) if start.skip else None
        model = load_transformer(folder, start.depth, start.dropped)
        tokens = ContextualTokens(model, skip, Adapter(model, start.adapter) if start.adapter else None)
    return Judge(tokens, start.hidden, start.features, start.marks, start.overlooks, start.aside)


def second_judge(first: Judge, plan: SourceRecipe, folder: Path, frozen: int) -> Judge:
    """Make a judge over the first one's transformer: over all of its layers, or with layers of its own above some.

    :param folder: the model that both start from
    :param frozen: how many layers stay as they are in training
    """
    owner = first.tokens
    if not isinstance(owner, ContextualTokens):
        raise UsageError("a second judge needs a student of the kind match: a table reads no other language")
    tokens: SharedTokens | BranchTokens
    if plan.shared is None:
        tokens = SharedTokens(owner)
    elif plan.shared > frozen:
        raise UsageError(f"two judges share {plan.shared} layers: they must stay as they are; raise `frozen`")
    else:
        tokens = BranchTokens(owner, load_transformer(folder, plan.depth, plan.dropped), plan.shared)
    return Judge(tokens, plan.hidden, plan.features, plan.marks, plan.overlooks)


def start_folder(recipe: StudentRecipe, model: Path, root: Path, work: Work, log: Log = silent_log) -> Path:
    """Return the folder that a student starts from: a model, its pieces and its table as the recipe says.

    :param root: the folder that holds the recipe's files
    :param work: keeps folders that are made
    """
    plan, bits, seed = recipe.vocabulary, recipe.table_bits, recipe.seed
    if plan is not None:
        whole, key = model, step_key(asdict(plan), folder_key(model), seed)
        model = work.made("start", key, lambda target: pruned(whole, plan, root, target, seed, log))
    if bits != 8:
        exact, key = model, step_key(bits, folder_key(model), seed)
        model = work.made("rounded", key, lambda target: write_rounded(exact, target, seed))
    return model
