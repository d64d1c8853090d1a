"""Find a model's folder on this machine; a hub is asked only if the user allows it.

The order for a name:

1. a model that comes with Farthing: in the package (`farthing/models/<name>`), or in one of its own that registers the
   entry point <name> in the group `farthing.students`; `<name>@2` is the second version of its weights,
2. a folder of that path,
3. the local caches: $FARTHING_MODELS (else Farthing's folder in the user's cache), then Hugging Face's,
4. the hub, if `online=True`, `--online` or $FARTHING_ONLINE=1 asks for it; $FARTHING_OFFLINE=1 and
   $HF_HUB_OFFLINE=1 forbid it whatever else is said.

Weights are safetensors or ONNX; pickles are never fetched nor read, and no remote code is ever run.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from farthing.core.errors import ModelError
from farthing.core.network import ONLINE, asks_for_network, is_offline
from farthing.encoders.folder.layout import CONFIG, FETCHED, PICKLED, READABLE
from farthing.encoders.tokens.tokenize import read_json

EMBEDDED = Path(__file__).resolve().parents[2] / "models"
STUDENTS = "farthing.students"  #: the group of entry points: the name of a student, and the package that has its folder
INSTALLED_BY = {"base": "farthing-base"}  #: students that come in packages of their own
_OWN = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_-]*)(@(?P<version>[1-9][0-9]*))?")
_HUB = "https://huggingface.co"
_OWNER = "farthing"  # who publishes versions of students that no longer come with the package


def locate(name: str | Path, *, online: bool = False, instead: str = "the path of a folder") -> Path:
    """Return the folder of a model, given by its name or its path.

    :param online: fetch a model that is not on this machine; $FARTHING_ONLINE=1 does so everywhere
    :param instead: what a user without the model can give
    """
    folder = find_local(name)
    if folder is None:
        if str(name).partition("@")[0] in INSTALLED_BY:
            raise missing_student(str(name))
        if not (online or asks_for_network()):
            raise ModelError(
                f"the model {str(name)!r} is not on this machine: run `farthing models pull {name}` first, "
                f"pass --online (in Python, set ${ONLINE}=1), or give {instead}"
            )
        folder = pull(str(name))
    return check_weights(folder, str(name))


def find_local(name: str | Path) -> Path | None:
    """Return the folder of a model that is on this machine, or None."""
    text = str(name)
    if not text.strip():
        raise ModelError("the name of the model is empty: give a name or a folder")
    own = find_student(text)
    if own is not None:
        return own
    path = Path(text).expanduser()
    if path.is_dir():
        return path
    if path.is_absolute() or text.startswith((".", "~")):
        raise ModelError(f"there is no folder {text}: give a model's folder or its name on the hub")
    kept = models_folder() / text
    return kept if kept.is_dir() else _in_hub_cache(text)


def find_student(name: str, holding: str = "") -> Path | None:
    """Return the folder of one of Farthing's own students, such as `small`, or `small@1` for a version of its weights.

    :param holding: the name of a file that the folder must have
    """
    asked = _OWN.fullmatch(name)
    if asked is None:
        return None
    return next((folder for folder in _student_places(asked["name"], asked["version"]) if _has(folder, holding)), None)


def _student_places(name: str, version: str | None) -> Iterator[Path]:
    """Where a student may be: in a package, then (versions only) in the caches."""
    newest = next((root / name for root in _roots(name) if (root / name).is_dir()), None)
    if newest is not None and version in (None, weights_version(newest)):
        yield newest
    if version is not None:
        full = f"{name}@{version}"
        yield from (root / full for root in (*_roots(name), models_folder()))
        if pulled := _in_hub_cache(f"{_OWNER}/{name}", f"v{version}"):
            yield pulled


def _has(folder: Path, file: str) -> bool:
    return (folder / file).is_file() if file else folder.is_dir()


def _roots(name: str) -> Iterator[Path]:
    """The folders that may hold the folder of a student: Farthing's own, then that of the package which has it."""
    yield EMBEDDED
    if not (EMBEDDED / name).is_dir() and name in (packages := student_packages()):
        yield packages[name]


@cache
def student_packages() -> dict[str, Path]:
    """Return the folder of every installed package that has a student, by the name of the student."""
    from importlib.metadata import entry_points  # late: reading the metadata of all packages takes 20 ms
    from importlib.util import find_spec

    folders: dict[str, Path] = {}
    for point in entry_points(group=STUDENTS):
        spec = find_spec(point.value) if point.value.isidentifier() else None  # found, not run
        places = list(spec.submodule_search_locations or ()) if spec else []
        if places and (Path(places[0]) / point.name).is_dir():
            folders.setdefault(point.name, Path(places[0]))
    return folders


def weights_version(folder: Path) -> str:
    """Return the version of a student's weights, which its config.json tells; 1 if it does not."""
    facts = read_json(folder / CONFIG, missing_ok=True).get("farthing")
    return str(facts.get("version", 1)) if isinstance(facts, dict) else "1"


def versioned_name(name: str, folder: Path) -> str:
    """Return what a signature calls a model: the names of Farthing's own students have the version of their weights."""
    own = None if "@" in name else find_student(name)
    return f"{name}@{weights_version(folder)}" if own and own.resolve() == folder.resolve() else name


def missing_student(name: str) -> ModelError:
    """Make the sentence that says how to get a student that is not on this machine."""
    size = name.partition("@")[0]
    newest = find_student(size)
    if newest is not None:
        here = f"{size}@{weights_version(newest)}"
        return ModelError(f"{name} is not on this machine, {here} is: run `farthing models pull {name}` first")
    if size in INSTALLED_BY:
        return ModelError(f"the student {size} comes in a package of its own: pip install {INSTALLED_BY[size]}")
    return ModelError(f"this installation of Farthing has no student of the size {size}: install it again")


def models_folder() -> Path:
    """Return where Farthing keeps models by name: $FARTHING_MODELS, else a folder in the user's cache."""
    if chosen := os.environ.get("FARTHING_MODELS"):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("farthing") / "models"


def local_models() -> dict[str, Path]:
    """Return every model on this machine that has a name, with its folder."""
    models = {name: root / name for name, root in student_packages().items() if not (EMBEDDED / name).is_dir()}
    for root in (EMBEDDED, models_folder()):
        for config in sorted([*root.glob("*/config.json"), *root.glob("*/*/config.json")]):
            if not (config.parent.parent / "config.json").is_file():  # a part of a model is not one
                models.setdefault(str(config.parent.relative_to(root)), config.parent)
    for entry in sorted(_hub_cache().glob("models--*")):
        name = entry.name.removeprefix("models--").replace("--", "/")
        if name not in models and (folder := _in_hub_cache(name)):
            models[name] = folder
    return models


def pull(name: str) -> Path:
    """Fetch a model from the hub into the local cache and return its folder; `small@1` is a version of a student."""
    size, _, version = name.partition("@")
    if size in INSTALLED_BY and not version:
        raise missing_student(name)
    if is_offline():
        raise ModelError(f"the model {name!r} is not on this machine and Farthing is offline: {_remedy(name)}")
    host = urlsplit(os.environ.get("HF_ENDPOINT", _HUB)).hostname or ""
    if not _reachable(host):
        raise ModelError(f"the model {name!r} is not on this machine and {host} does not answer: {_remedy(name)}")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    own = _OWN.fullmatch(name) if version else None
    revision = {"revision": f"v{version}"} if own else {}
    try:
        return Path(snapshot_download(f"{_OWNER}/{size}" if own else name, allow_patterns=FETCHED, **revision))
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"the model {name!r} cannot be fetched: {reason} ({_remedy(name)})") from error


def check_weights(folder: Path, name: str) -> Path:
    """Return the folder if it holds weights that may be read, and names no files elsewhere."""
    if any(next(folder.glob(pattern), None) for pattern in READABLE):
        if folder.parent != EMBEDDED:  # what came with Farthing has digests
            from farthing.encoders.folder.links import check_links

            check_links(folder)
        return folder
    if any(next(folder.glob(pattern), None) for pattern in PICKLED):
        raise ModelError(f"{name} has only pickled weights, which can run code: convert them to safetensors first")
    raise ModelError(f"{name} has no weights in {folder}: expected *.safetensors or *.onnx there")


def _remedy(name: str) -> str:
    return f"run `farthing models pull {name}` on a machine with a network, or give the path of a folder"


def _hub_cache() -> Path:
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface")).expanduser()
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()


def _in_hub_cache(name: str, revision: str = "") -> Path | None:
    """Return the snapshot of a name in Hugging Face's cache: that of a revision, else of `main`, else the newest."""
    entry = _hub_cache() / f"models--{name.replace('/', '--')}"
    told = entry / "refs" / (revision or "main")
    if told.is_file() and (folder := entry / "snapshots" / told.read_text().strip()).is_dir():
        return folder
    if revision:
        return None
    snapshots = sorted((entry / "snapshots").glob("*"), key=lambda folder: folder.stat().st_mtime)
    return snapshots[-1] if snapshots else None


def _reachable(host: str, seconds: float = 3.0) -> bool:
    try:
        socket.create_connection((host, 443), timeout=seconds).close()
    except OSError:
        # behind a proxy the host cannot be reached directly, yet a download may work
        return bool(os.environ.get("https_proxy") or os.environ.get("HTTPS_PROXY"))
    return True
