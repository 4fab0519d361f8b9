import type pg from 'pg'

/** The part of the driver's connection that COPY needs. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * Runs a text of statements in which each `copy ... from stdin` takes the next of `data` (COPY's text format). Everything leaves at once
 * and is one round trip; outside a transaction the statements are one by themselves (PostgreSQL, "Multiple Statements in a Simple
 * Query"). Data that follow a failure are ignored by the server ("COPY Operations"), so nothing is lost track of.
 */
export function copyIn(client: pg.ClientBase, text: string, data: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    const nothing = (): void => {}
    client.query({
      submit(connection: unknown) {
        const server = connection as Connection
        server.stream.cork()
        server.query(text)
        for (const rows of data) {
          server.sendCopyFromChunk(Buffer.from(rows))
          server.endCopyFrom()
        }
        server.stream.uncork()
      },
      handleError(error: Error) {
        failure ??= error
        reject(failure)
      },
      handleReadyForQuery() {
        if (failure === undefined) resolve()
      },
      handleCopyInResponse: nothing,
      handleCommandComplete: nothing,
      handleRowDescription: nothing,
      handleDataRow: nothing,
      handleEmptyQuery: nothing,
    } as pg.Submittable)
  })
}

const SPECIAL = /[\\\t\n\r]/
const NAMES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text as a field of COPY's text format. A NUL is left to the server, which refuses it. */
export function field(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (char) => NAMES[char]!) : value
}
