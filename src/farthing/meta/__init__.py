"""How good is a metric, and is one system really better than another?"""
