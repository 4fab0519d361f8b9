/** Longest text that is made, and the longest pattern that is read. */
const MAX_CHARACTERS = 400
const MAX_PATTERN = 1_000
const MAX_DEPTH = 20

interface Reading {
  readonly pattern: string
  at: number
  depth: number
}
type Made = string | undefined

/**
 * A text of the shape that a JSON schema's `pattern` describes: the first alternative, the fewest repetitions. The pattern is read, never run as a
 * regular expression: a caller's own could take minutes. Undefined where it says more than shapes: a look-around, a backreference.
 */
export function textFor(pattern: string): Made {
  if (pattern.length > MAX_PATTERN) return undefined
  const reading: Reading = { pattern, at: 0, depth: 0 }
  const text = alternatives(reading)
  return reading.at === pattern.length ? text : undefined
}

/** The first of `a|b|c`; the others are read to know where they end. */
function alternatives(reading: Reading): Made {
  const first = sequence(reading)
  while (first !== undefined && reading.pattern[reading.at] === '|') {
    reading.at++
    if (sequence(reading) === undefined) return undefined
  }
  return first
}

function sequence(reading: Reading): Made {
  let text = ''
  for (let sign = reading.pattern[reading.at]; sign !== undefined && sign !== '|' && sign !== ')'; sign = reading.pattern[reading.at]) {
    reading.at++
    if (sign === '^' || sign === '$') continue
    const one = atom(reading, sign)
    const times = one === undefined ? undefined : repetitions(reading)
    if (one === undefined || times === undefined || text.length + one.length * times > MAX_CHARACTERS) return undefined
    text += one.repeat(times)
  }
  return text
}

function atom(reading: Reading, sign: string): Made {
  if (sign === '(') return group(reading)
  if (sign === '[') return oneOf(reading)
  if (sign === '.') return 'a'
  if (sign === '\\') return escaped(reading)
  return '*+?{'.includes(sign) ? undefined : sign
}

function group(reading: Reading): Made {
  const kind = /^\?(?::|<[A-Za-z_]\w{0,40}>)/.exec(reading.pattern.slice(reading.at, reading.at + 50))?.[0]
  if (kind === undefined && reading.pattern[reading.at] === '?') return undefined
  reading.at += kind?.length ?? 0
  if (++reading.depth > MAX_DEPTH) return undefined
  const text = alternatives(reading)
  reading.depth--
  if (reading.pattern[reading.at] !== ')') return undefined
  reading.at++
  return text
}

const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', 0: '\0' }

function escaped(reading: Reading): Made {
  const sign = reading.pattern[reading.at++]
  if (sign === undefined || /[1-9bBkc]/.test(sign)) return undefined
  if (sign === 'p' || sign === 'P') {
    const name = /^\{(L|Letter|Ll|Lu|N|Nd|P)\}/.exec(reading.pattern.slice(reading.at, reading.at + 12))
    if (!name || sign === 'P') return undefined
    reading.at += name[0].length
    return { N: '1', Nd: '1', P: '-', Lu: 'A' }[name[1]!] ?? 'a'
  }
  const code = sign === 'u' || sign === 'x' ? /^(?:[0-9a-f]{2}|\{[0-9a-f]{1,5}\})/i.exec(reading.pattern.slice(reading.at, reading.at + 8)) : null
  if (code) {
    const digits = sign === 'u' && !code[0].startsWith('{') ? reading.pattern.slice(reading.at, reading.at + 4) : code[0]
    reading.at += digits.length
    return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(digits.replace(/[{}]/g, ''), 16)))
  }
  return CLASSES[sign] ?? sign
}

/** `[a-f0-9]`: its first sign; of `[^…]` the first usual sign that it does not name. */
function oneOf(reading: Reading): Made {
  const isNegated = reading.pattern[reading.at] === '^'
  if (isNegated) reading.at++
  const ranges: (readonly [from: string, to: string])[] = []
  for (let sign = reading.pattern[reading.at]; sign !== ']'; sign = reading.pattern[reading.at]) {
    if (sign === undefined) return undefined
    const from = next(reading)
    if (from === undefined) return undefined
    const isRange = reading.pattern[reading.at] === '-' && reading.pattern[reading.at + 1] !== ']'
    if (isRange) reading.at++
    const to = isRange ? next(reading) : from
    if (to === undefined) return undefined
    ranges.push([from, to])
  }
  reading.at++
  if (!isNegated) return ranges[0]?.[0]
  // A class such as \d names ten signs, of which one is known here.
  const isNamed = (sign: string): boolean => ranges.some(([from, to]) => (sign >= from && sign <= to) || (from === '1' && /\d/.test(sign)))
  return [...'aA1- ._'].find((sign) => !isNamed(sign))
}

function next(reading: Reading): Made {
  const sign = reading.pattern[reading.at++]!
  return sign === '\\' ? escaped(reading) : sign
}

/** How often the atom before stands: as seldom as it may. */
function repetitions(reading: Reading): number | undefined {
  const sign = reading.pattern[reading.at]
  let times = 1
  if (sign === '*' || sign === '?') times = 0
  else if (sign === '{') {
    const range = /^\{(\d{1,4})(?:,\d{0,4})?\}/.exec(reading.pattern.slice(reading.at, reading.at + 14))
    if (!range) return undefined
    reading.at += range[0].length - 1
    times = Number(range[1])
  } else if (sign !== '+') return 1
  reading.at++
  if (reading.pattern[reading.at] === '?') reading.at++
  return times
}
