"""The rules of the operator texts: the list (rules.toml), the gate, and tests that each prove one of them."""
