"""What pages look like and how they behave: one style sheet and small script modules, without any framework.

The report carries them inside its single file, `farthing serve` sends them as files. The modules import each other by
relative names, such as `./dom.js`, and no two of them export the same name.
"""
