// Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
/** The version of the contract. */
export const version = "1.0.0";

/** The characters that a blank string may hold; it may also be empty. */
export const blankCharacters = "\u0009\u000a\u000b\u000c\u000d\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** How deep objects and arrays may nest in arguments, the arguments object itself being depth 1. */
export const argumentsDepth = 100;

/** How many characters of the caller's text one quotation in a diagnostic's prose may hold. */
export const quotedCharacters = 64;
