"""The methods of adapters by name."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

AdapterMethod: TypeAlias = Literal["pfeiffer", "houlsby", "parallel", "compacter", "ia3", "lora"]
METHODS: tuple[AdapterMethod, ...] = get_args(AdapterMethod)
MERGEABLE = ("ia3", "lora")  #: what they change is linear, so that it can become part of the weights
