"""Find a model's folder: embedded, local, in a local cache, and only then on the hub.

The order for a name:

1. a model that comes with Farthing (`farthing/models/<name>`),
2. a folder of that path,
3. the local caches: $FARTHING_MODELS (else the user's cache folder of Farthing), then Hugging Face's,
4. the hub, unless $FARTHING_OFFLINE or $HF_HUB_OFFLINE is set.

Weights are safetensors or ONNX; pickles are never fetched nor read, and no remote code is ever run.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

from farthing.core.errors import ModelError

EMBEDDED = Path(__file__).resolve().parents[2] / "models"
FILES = ["*.json", "*.txt", "*.safetensors", "*.model", "*.spm", "*.onnx", "*.tsv", "*.md"]
_WEIGHTS = ("*.safetensors", "*.onnx", "*.npy", "*.gguf")
_HUB = "https://huggingface.co"


def locate(name: str | Path, *, offline: bool | None = None) -> Path:
    """The folder of a model, given by its name or its path.

    :param offline: True never asks the hub; None follows $FARTHING_OFFLINE and $HF_HUB_OFFLINE
    """
    folder = find_local(name)
    if folder is None:
        folder = pull(str(name), offline=offline)
    return checked(folder, str(name))


def find_local(name: str | Path) -> Path | None:
    """The folder of a model that is on this machine already, or None."""
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
    """Where Farthing keeps models by name: $FARTHING_MODELS, else the user's cache folder."""
    if chosen := os.environ.get("FARTHING_MODELS"):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("farthing") / "models"


def local_models() -> dict[str, Path]:
    """Every model on this machine that has a name, with its folder."""
    found: dict[str, Path] = {}
    for root in (EMBEDDED, models_folder()):
        for config in sorted([*root.glob("*/config.json"), *root.glob("*/*/config.json")]):
            if not (config.parent.parent / "config.json").is_file():  # a part of a model is not one
                found.setdefault(str(config.parent.relative_to(root)), config.parent)
    for entry in sorted(_hub_cache().glob("models--*")):
        name = entry.name.removeprefix("models--").replace("--", "/")
        if name not in found and (folder := _in_hub_cache(name)):
            found[name] = folder
    return found


def pull(name: str, *, offline: bool | None = None) -> Path:
    """Fetch a model from the hub into the local cache and say where it is."""
    if is_offline() if offline is None else offline:
        raise ModelError(f"the model {name!r} is not on this machine and Farthing is offline: {_remedy(name)}")
    host = urlsplit(os.environ.get("HF_ENDPOINT", _HUB)).hostname or ""
    if not _reachable(host):
        raise ModelError(f"the model {name!r} is not on this machine and {host} does not answer: {_remedy(name)}")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return Path(snapshot_download(name, allow_patterns=FILES))
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"the model {name!r} cannot be fetched: {reason} ({_remedy(name)})") from error


def is_offline() -> bool:
    """True where the user has forbidden the network."""
    values = (os.environ.get(name, "") for name in ("FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any(value.lower() in ("1", "true", "yes", "on") for value in values)


def checked(folder: Path, name: str) -> Path:
    """The folder itself, where it holds weights that may be read."""
    if any(next(folder.glob(pattern), None) for pattern in _WEIGHTS):
        return folder
    if any(next(folder.glob(pattern), None) for pattern in ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")):
        raise ModelError(f"{name} has only pickled weights, which can run code: convert them to safetensors first")
    raise ModelError(f"{name} has no weights in {folder}: expected *.safetensors or *.onnx there")


def _remedy(name: str) -> str:
    return f"run `farthing models pull {name}` where there is a network, or give the path of a folder"


def _hub_cache() -> Path:
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface")).expanduser()
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()


def _in_hub_cache(name: str) -> Path | None:
    """The newest snapshot that Hugging Face's cache has of a name."""
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
