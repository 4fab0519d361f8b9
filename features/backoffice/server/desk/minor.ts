/** What a channel counts, in whole units: 14745 is "147.45". */
export function minorText(minor: bigint): string {
  const text = String(minor).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}
