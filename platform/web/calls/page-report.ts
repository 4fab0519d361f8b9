const PATH = '/common/pageReport'

/** Sends a report without waiting; it survives the page's unload. It is lost if it cannot be sent. */
export function sendPageReport(report: Readonly<Record<string, unknown>>): void {
  const body = JSON.stringify(report)
  try {
    if (navigator.sendBeacon?.(PATH, body)) return
    void fetch(PATH, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => undefined)
  } catch {
    // A browser extension blocks it.
  }
}

/** Counts a step towards a payment by channel, without any user data. */
export function countPayStep(event: 'channel_chosen' | 'payment_submitted', channelType: number): void {
  sendPageReport({ event, detail: channelType })
}
