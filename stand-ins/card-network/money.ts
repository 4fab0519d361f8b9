/** 1234n as "12.34". */
export function writeCents(minor: bigint): string {
  const text = (minor < 0n ? -minor : minor).toString().padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** "12.3" as 1230n; undefined unless the text is an exact amount. */
export function readCents(text: string): bigint | undefined {
  const [, whole, part = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(2, '0'))
}
