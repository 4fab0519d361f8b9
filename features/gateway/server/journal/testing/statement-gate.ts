import type { Sql } from '#platform/server/database/db.ts'

/** A database whose statements a test can hold back, like a stopped server. */
export interface StatementGate extends Sql {
  /** Statements that passed since the gate was closed. */
  readonly passed: string[]
  /** Number of statements held back. */
  waiting(): number
  /** Holds back all statements, or those that contain these words. */
  close(words?: string): void
  open(): void
}

export function createStatementGate(on: Sql): StatementGate {
  let gate: Promise<void> | undefined
  let held = ''
  let waiting = 0
  let open = () => {}
  const passed: string[] = []
  const wait = async () => {
    waiting++
    await gate
    waiting--
  }
  return {
    passed,
    waiting: () => waiting,
    query: async (...args) => {
      if (gate && args[0].includes(held)) await wait()
      passed.push(args[0])
      return on.query(...args) as never
    },
    insertRows: async (...args) => {
      if (gate && held === '') await wait()
      return on.insertRows(...args)
    },
    close: (words = '') => {
      held = words
      passed.length = 0
      gate = new Promise((done) => {
        open = () => {
          gate = undefined
          done()
        }
      })
    },
    open: () => open(),
  }
}
