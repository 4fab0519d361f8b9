const PATH = '/common/pageReport'

/** Sends a report that nobody waits for and that survives the page; where it cannot be sent it is lost. */
export function sendPageReport(report: Readonly<Record<string, unknown>>): void {
  const body = JSON.stringify(report)
  try {
    if (navigator.sendBeacon?.(PATH, body)) return
    void fetch(PATH, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => undefined)
  } catch {
    // A reader's extension forbids it.
  }
}

/** Counts a step towards a payment, by channel; nothing about who took it. */
export function countPayStep(event: 'channel_chosen' | 'payment_submitted', channelType: number): void {
  sendPageReport({ event, detail: channelType })
}
