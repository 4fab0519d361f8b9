import type { UsageLine } from '../hot/deps.ts'

/** Kinds by number, as stored in gateway_usage.lines. Never reorder; add at the end. */
const KINDS: readonly UsageLine['kind'][] = [
  'input',
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'audioInput',
  'audioOutput',
  'imageInput',
  'reasoning',
  'call',
  'cachedAudio',
  'cachedImage',
  'imageOutput',
  'characters',
  'seconds',
  'searches',
  'cacheWrite12h',
  'webSearches',
  'groundedPrompts',
  'mapPrompts',
  'containers',
  'codeSeconds',
  'flex',
  'priority',
  'fast',
  'us',
]
const KIND_NUMBERS: ReadonlyMap<UsageLine['kind'], number> = new Map(KINDS.map((kind, index) => [kind, index]))

/** Packs lines as four numbers each, as the text of a bigint[]. */
export function packLines(lines: readonly UsageLine[]): string {
  let out = '{'
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    out += `${i === 0 ? '' : ','}${KIND_NUMBERS.get(line.kind)},${line.tokens},${line.unitPrice},${line.amount}`
  }
  return `${out}}`
}

/** Packs lines as a list of decimal numbers, for JSON. */
export const toPackedNumbers = (lines: readonly UsageLine[]): string[] =>
  lines.flatMap((line) => [String(KIND_NUMBERS.get(line.kind)), String(line.tokens), line.unitPrice.toString(), line.amount.toString()])

export function unpackLines(stored: readonly string[]): UsageLine[] {
  const lines: UsageLine[] = []
  for (let at = 0; at + 3 < stored.length; at += 4) {
    lines.push({
      kind: KINDS[Number(stored[at])] ?? 'call',
      tokens: Number(stored[at + 1]),
      unitPrice: BigInt(stored[at + 2]!),
      amount: BigInt(stored[at + 3]!),
    })
  }
  return lines
}

/** Stored number of a kind. */
export const toKindNumber = (kind: UsageLine['kind']): number => KIND_NUMBERS.get(kind)!
