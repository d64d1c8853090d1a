"""`farthing completion`: scripts for bash, zsh and fish, made from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.main import COMMANDS
from farthing.app.cli.pages import CommandPage, OptionPage, command_pages
from farthing.core.registry import metric_names
from farthing.encoders.folder.locate import EMBEDDED, student_packages

Shell = Literal["bash", "zsh", "fish"]
ROOT = "farthing"


def completion(
    shell: Annotated[Shell, typed.Argument(help="The shell that you use.")],
) -> str:
    """Print a script that lets a shell complete commands, options, metrics and files.

    bash: add `source <(farthing completion bash)` to ~/.bashrc. zsh: add `source <(farthing completion zsh)` to
    ~/.zshrc, after compinit. fish: write the script to ~/.config/fish/completions/farthing.fish.
    Examples:
      farthing completion bash > farthing.bash
      farthing completion fish > ~/.config/fish/completions/farthing.fish
    """
    return {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}[shell]()


def _places() -> list[CommandPage]:
    """The commands and groups, the program itself first."""
    pages = list(command_pages())
    root = CommandPage(ROOT, "", "", (), (), tuple(COMMANDS.known()))
    return [root, *pages]


def _patterns(pages: Sequence[CommandPage]) -> str:
    return "|".join(quote(page.name) for page in pages[1:])


def _values(option: OptionPage) -> tuple[str, ...]:
    """The words that may stand for the value of an option; none if it is a file or anything else."""
    if option.completes == "metric":
        return tuple(metric_names())
    if option.completes == "model":
        own = (folder.name for folder in EMBEDDED.iterdir() if folder.is_dir())
        return tuple(sorted({*own, *student_packages()}))
    return tuple(COMMANDS.known()) if option.completes == "command" else option.choices


def _valued(page: CommandPage) -> Iterator[tuple[OptionPage, tuple[str, ...]]]:
    """The options of a command whose value is one of some words."""
    for option in page.options:
        if option.flags and (words := _values(option)):
            yield option, words


def _words(page: CommandPage) -> tuple[str, ...]:
    """What may stand at a place of its own: sub-commands, or the words of an argument."""
    return page.commands or next((words for one in page.options if one.is_argument and (words := _values(one))), ())


def _flags(page: CommandPage) -> list[str]:
    own = [flag for option in page.options for flag in option.flags]
    return [*own, "--help", *(["--version"] if page.name == ROOT else []), "--online"]


BASH = """\
# Completion of farthing for bash. Made by: farthing completion bash
_farthing() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local place=farthing flags= words= word listed=
    if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$place $word" in
            @PATTERNS@) place="$place $word" ;;
        esac
    done
    case "$place" in
@PLACES@
    esac
    case "$place:$previous" in
@VALUES@
        *) [[ $current == -* ]] && words=$flags ;;
    esac
    if [[ -n $listed && $current == *,* ]]; then
        COMPREPLY=($(compgen -P "${current%,*}," -W "$words" -- "${current##*,}"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    fi
}
complete -o bashdefault -o default -F _farthing farthing
"""


def bash_script() -> str:
    """Return the script for bash; where it offers nothing, bash itself offers files."""
    pages = _places()
    places = [
        f"        {quote(page.name)}) words={quote(' '.join(_words(page)))} flags={quote(' '.join(_flags(page)))} ;;"
        for page in pages
    ]
    values = [
        f"        {'|'.join(quote(f'{page.name}:{flag}') for flag in option.flags)}) "
        f"words={quote(' '.join(words))}{' listed=yes' if option.several else ''} ;;"
        for page in pages
        for option, words in _valued(page)
    ]
    values += [f"        {pattern}) words= ;;" for page in pages if (pattern := _free(page))]
    return _filled(BASH, pages, places, values)


def _free(page: CommandPage) -> str:
    """A pattern of the options whose value may be anything, such as a file."""
    known = {option.name for option, _ in _valued(page)}
    free = [option for option in page.options if option.value and option.name not in known]
    return "|".join(quote(f"{page.name}:{flag}") for option in free for flag in option.flags)


def _filled(script: str, pages: Sequence[CommandPage], places: Sequence[str], values: Sequence[str]) -> str:
    filled = script.replace("@PATTERNS@", _patterns(pages))
    return filled.replace("@PLACES@", "\n".join(places)).replace("@VALUES@", "\n".join(values)).rstrip("\n")


ZSH = """\
#compdef farthing
# Completion of farthing for zsh. Made by: farthing completion zsh
_farthing() {
    local current=${words[CURRENT]} previous=${words[CURRENT-1]} place=farthing word
    local -a flags offered
    for word in ${words[2,CURRENT-1]}; do
        case "$place $word" in
            (@PATTERNS@) place="$place $word" ;;
        esac
    done
    case "$place:$previous" in
@VALUES@
    esac
    case "$place" in
@PLACES@
    esac
    if [[ $current == -* ]]; then
        _describe option flags
    elif (( $#offered )); then
        _describe word offered
    else
        _files
    fi
}
if [[ $funcstack[1] == _farthing ]]; then _farthing "$@"; else compdef _farthing farthing; fi
"""


def zsh_script() -> str:
    """Return the script for zsh."""
    pages = _places()
    summaries = {page.name: page.summary for page in pages}
    places = []
    for page in pages:
        told = {flag: option.help for option in page.options for flag in option.flags}
        flags = " ".join(_described(flag, told.get(flag, "")) for flag in _flags(page))
        words = " ".join(_described(word, summaries.get(f"{page.name} {word}", "")) for word in _words(page))
        places.append(f"        ({quote(page.name)}) flags=({flags}) offered=({words}) ;;")
    values = [
        f"        ({'|'.join(quote(f'{page.name}:{flag}') for flag in option.flags)}) "
        f"{'compset -P ' + quote('*,') + '; ' if option.several else ''}compadd -- {' '.join(map(quote, words))}; "
        "return ;;"
        for page in pages
        for option, words in _valued(page)
    ]
    values += [f"        ({pattern}) _files; return ;;" for page in pages if (pattern := _free(page))]
    return _filled(ZSH, pages, places, values)


def _described(word: str, text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(":", "\\:")
    return quote(f"{word}:{escaped}" if text else word)


FISH = """\
# Completion of farthing for fish. Made by: farthing completion fish
function __farthing_at
    set -l place farthing
    for word in (commandline -opc)[2..-1]
        switch "$place $word"
            case @PATTERNS@
                set place "$place $word"
        end
    end
    test "$place" = "$argv"
end
@PLACES@
"""


def fish_script() -> str:
    """Return the script for fish."""
    pages = _places()
    summaries = {page.name: page.summary for page in pages}
    lines = []
    for page in pages:
        at = f"complete -c farthing -n {_fish(f'__farthing_at {page.name}')}"
        lines += [f"{at} -f -a {word} -d {_fish(summaries.get(f'{page.name} {word}', ''))}" for word in _words(page)]
        lines += [f"{at} {_fish_option(option)}" for option in page.options if option.flags]
        lines.append(f"{at} -l online -d {_fish('Allow the network.')}")
    patterns = " ".join(_fish(page.name) for page in pages[1:])
    return FISH.replace("@PATTERNS@", patterns).replace("@PLACES@", "\n".join(lines)).rstrip("\n")


def _fish_option(option: OptionPage) -> str:
    names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    words = _values(option)
    inside = " ".join(words)
    offered = f'(__fish_complete_list , \'string split " " "{inside}"\')' if option.several else inside
    value = f"-x -a {_fish(offered)}" if words else "-r" if option.value else ""
    return " ".join(filter(None, [*names, value, f"-d {_fish(option.help)}"]))


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
