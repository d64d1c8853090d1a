"""`python -m farthing`: the command line, for launchers that start modules."""

from farthing.app.cli.main import main

if __name__ == "__main__":
    main()
