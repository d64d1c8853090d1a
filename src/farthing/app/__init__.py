"""The shells: the command line and the web page. Nothing imports them."""
