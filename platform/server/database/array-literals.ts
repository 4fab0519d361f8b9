/**
 * PostgreSQL array literals, written by hand: the driver's own writer escapes every element with a regular expression,
 * which at tens of thousands of rows a second costs more than all other work of the gateway's journal.
 */

/** Numbers and booleans need no quotes. */
export function toNumberArrayLiteral(values: readonly (number | bigint | boolean)[]): string {
  return `{${values.join(',')}}`
}

const SPECIAL = /["\\]/

/** Text elements are always quoted. PostgreSQL rejects NUL, so it is not checked here. */
export function toTextArrayLiteral(values: readonly string[]): string {
  let out = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    out += i === 0 ? '"' : ',"'
    out += SPECIAL.test(value) ? value.replace(/["\\]/g, '\\$&') : value
    out += '"'
  }
  return `${out}}`
}
