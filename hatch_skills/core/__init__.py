"""The core that all faces stand on: it knows no build backend, no test runner and no terminal."""
