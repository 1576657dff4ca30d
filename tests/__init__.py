"""The test suite; docs/architecture.md says what each tier may compare with."""
