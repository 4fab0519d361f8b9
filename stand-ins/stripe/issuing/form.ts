/** `a[b][0][c]=1` as Stripe's SDK writes it. */
export function parseStripeIssuingForm(body: string): Record<string, any> {
  const whole: Record<string, any> = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    let at: Record<string, any> = whole
    for (const step of path.slice(0, -1)) at = at[step] ??= {}
    at[path.at(-1)!] = value
  }
  return whole
}
