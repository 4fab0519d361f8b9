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
    client.query(
      submittable(resolve, reject, (connection) => {
        const server = connection as Connection
        server.stream.cork()
        server.query(text)
        for (const rows of data) {
          server.sendCopyFromChunk(Buffer.from(rows))
          server.endCopyFrom()
        }
        server.stream.uncork()
      }),
    )
  })
}

/** What the driver runs as one query of its queue: `submit` writes, and nothing that comes back is kept but the first failure. */
export function submittable(resolve: () => void, reject: (error: Error) => void, submit: (connection: unknown) => void): pg.Submittable {
  let failure: Error | undefined
  const nothing = (): void => {}
  return {
    submit,
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
  } as pg.Submittable
}
