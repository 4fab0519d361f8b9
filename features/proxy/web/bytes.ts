const STEPS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** 1234567 → "1.23 MB": three digits, in decimal units as traffic is sold. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let step = 0
  while (value >= 999.5 && step < STEPS.length - 1) {
    value /= 1000
    step++
  }
  const places = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(places)} ${STEPS[step]}`
}
