/** Reports a page error to the operators. Loads the reporting code only then: most visits never need it. */
export function sendPageError(kind: 'error' | 'promise' | 'page', error: unknown): void {
  import('./page-errors.ts').then(
    ({ reportPageError }) => reportPageError(kind, error),
    () => {}, // Offline, or chunks of an old version: drop the report.
  )
}

/** Call once at start. */
export function watchPageErrors(): void {
  addEventListener('error', (event) => {
    if (event.error) sendPageError('error', event.error)
  })
  addEventListener('unhandledrejection', (event) => sendPageError('promise', event.reason))
}
