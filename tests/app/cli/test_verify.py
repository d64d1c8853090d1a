"""`farthing verify`: 0 if the same is here, 1 if something differs, 2 for what is no signature."""

from __future__ import annotations


def test_exit_codes_and_lines(run, write) -> None:
    write("a.txt", "the cat sat")
    write("r.txt", "the cat sat down")
    signature = run("score", "a.txt", "-r", "r.txt", "-m", "chrF++").stdout.splitlines()[-1]
    same = run("verify", signature)
    assert (same.returncode, same.stderr) == (0, "")
    assert same.stdout.startswith("the same: chrf(word_order=2) with this version and these weights is here")
    differs = run("verify", signature.replace("nc:6", "nc:6|spaces:many"))
    assert differs.returncode == 1
    assert "spaces: many in the signature, absent here" in differs.stdout
    unknown = run("verify", signature.replace("chrf|", "chrg|"))
    assert unknown.returncode == 1
    assert "did you mean 'chrf'" in unknown.stdout
    wrong = run("verify", "chrf")
    assert wrong.returncode == 2
    assert "is not a signature" in wrong.stderr
