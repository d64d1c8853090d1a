"""Expensive judges, asked only where it matters: prompts, endpoints, budgets, kept verdicts, routing, honest means."""
