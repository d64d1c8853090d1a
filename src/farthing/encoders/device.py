"""Where torch runs: the device that the user names, or the fastest one that is there."""

from __future__ import annotations

from farthing.core.errors import MissingExtra, SpecError
from farthing.core.specs import Value

AUTO = "auto"


def torch_device(name: str) -> str:
    """Return the device to run on, or raise a sentence if this machine does not have it.

    :param name: a device of torch, such as "cpu", "cuda", "cuda:1" or "mps"; "auto" takes a GPU if there is one
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("running a model by torch", "torch") from error
    if name == AUTO:
        return available_devices()[0]
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:  # torch has no error of its own for it
        there = ", ".join(available_devices())
        raise SpecError(
            f"device={name}: torch finds no such device on this machine (there are: {there}); "
            "device=auto takes a GPU if there is one"
        ) from error
    return name


def available_devices() -> list[str]:
    """List the kinds of devices that torch can use here, the fastest first."""
    import torch

    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    return [*(["cuda"] if cuda else []), *(["mps"] if mps else []), "cpu"]


def device_fields(device: str) -> dict[str, Value]:
    """Return the part of a signature that names the device; nothing for the CPU.

    >>> device_fields("cuda:1"), device_fields("cpu")
    ({'device': 'cuda'}, {})
    """
    return {} if device == "cpu" else {"device": device.partition(":")[0]}
