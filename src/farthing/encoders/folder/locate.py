"""Find a model's folder on this machine; a hub is asked only if the user allows it.

The order for a name:

1. a model that comes with Farthing (`farthing/models/<name>`),
2. a folder of that path,
3. the local caches: $FARTHING_MODELS (else Farthing's folder in the user's cache), then Hugging Face's,
4. the hub, if `online=True`, `--online` or $FARTHING_ONLINE=1 asks for it; $FARTHING_OFFLINE=1 and
   $HF_HUB_OFFLINE=1 forbid it whatever else is said.

Weights are safetensors or ONNX; pickles are never fetched nor read, and no remote code is ever run.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

from farthing.core.errors import ModelError
from farthing.encoders.folder.layout import FETCHED, PICKLED, READABLE

EMBEDDED = Path(__file__).resolve().parents[2] / "models"
ONLINE = "FARTHING_ONLINE"  # the environment variable that allows the network
_OFFLINE = ("FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_HUB = "https://huggingface.co"


def locate(name: str | Path, *, online: bool = False, instead: str = "the path of a folder") -> Path:
    """Return the folder of a model, given by its name or its path.

    :param online: fetch a model that is not on this machine; $FARTHING_ONLINE=1 does so everywhere
    :param instead: what a user without the model can give
    """
    folder = find_local(name)
    if folder is None:
        if not (online or _is_set(ONLINE)):
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
    embedded = EMBEDDED / text
    if "/" not in text and not text.startswith(".") and embedded.is_dir():
        return embedded
    path = Path(text).expanduser()
    if path.is_dir():
        return path
    if path.is_absolute() or text.startswith((".", "~")):
        raise ModelError(f"there is no folder {text}: give a model's folder or its name on the hub")
    own = models_folder() / text
    return own if own.is_dir() else _in_hub_cache(text)


def models_folder() -> Path:
    """Return where Farthing keeps models by name: $FARTHING_MODELS, else a folder in the user's cache."""
    if chosen := os.environ.get("FARTHING_MODELS"):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("farthing") / "models"


def local_models() -> dict[str, Path]:
    """Return every model on this machine that has a name, with its folder."""
    models: dict[str, Path] = {}
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
    """Fetch a model from the hub into the local cache and return its folder."""
    if is_offline():
        raise ModelError(f"the model {name!r} is not on this machine and Farthing is offline: {_remedy(name)}")
    host = urlsplit(os.environ.get("HF_ENDPOINT", _HUB)).hostname or ""
    if not _reachable(host):
        raise ModelError(f"the model {name!r} is not on this machine and {host} does not answer: {_remedy(name)}")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return Path(snapshot_download(name, allow_patterns=FETCHED))
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"the model {name!r} cannot be fetched: {reason} ({_remedy(name)})") from error


def is_online() -> bool:
    """Tell whether the user has allowed the network, by --online or $FARTHING_ONLINE, and has not forbidden it."""
    return _is_set(ONLINE) and not is_offline()


def is_offline() -> bool:
    """Tell whether the user has forbidden the network."""
    return any(map(_is_set, _OFFLINE))


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "").lower() in ("1", "true", "yes", "on")


def check_weights(folder: Path, name: str) -> Path:
    """Return the folder if it holds weights that may be read."""
    if any(next(folder.glob(pattern), None) for pattern in READABLE):
        return folder
    if any(next(folder.glob(pattern), None) for pattern in PICKLED):
        raise ModelError(f"{name} has only pickled weights, which can run code: convert them to safetensors first")
    raise ModelError(f"{name} has no weights in {folder}: expected *.safetensors or *.onnx there")


def _remedy(name: str) -> str:
    return f"run `farthing models pull {name}` on a machine with a network, or give the path of a folder"


def _hub_cache() -> Path:
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface")).expanduser()
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()


def _in_hub_cache(name: str) -> Path | None:
    """Return the newest snapshot of a name in Hugging Face's cache."""
    entry = _hub_cache() / f"models--{name.replace('/', '--')}"
    main = entry / "refs" / "main"
    if main.is_file() and (folder := entry / "snapshots" / main.read_text().strip()).is_dir():
        return folder
    snapshots = sorted((entry / "snapshots").glob("*"), key=lambda folder: folder.stat().st_mtime)
    return snapshots[-1] if snapshots else None


def _reachable(host: str, seconds: float = 3.0) -> bool:
    try:
        socket.create_connection((host, 443), timeout=seconds).close()
    except OSError:
        # behind a proxy the host cannot be reached directly, yet a download may work
        return bool(os.environ.get("https_proxy") or os.environ.get("HTTPS_PROXY"))
    return True
