"""`python -m message_ir` is the command `message-ir`."""

from message_ir.cli import main

main()
