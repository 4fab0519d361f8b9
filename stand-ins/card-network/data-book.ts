import type { StatementSync } from 'node:sqlite'

export type PrepareSql = (text: string) => StatementSync

/** The company's ledger: entries that stay, and the balances they come to. */
export function bookIn(sql: PrepareSql) {
  return {
    post(at: number, debit: string, credit: string, minor: bigint, what: string, ref: string): void {
      sql('insert into entries (at, debit, credit, minor, what, ref) values (?, ?, ?, ?, ?, ?)').run(at, debit, credit, minor, what, ref)
    },
    balance(account: string): bigint {
      const row = sql(`select cast(minor as text) as minor from balances where account = ?`).get(account)
      return BigInt((row?.['minor'] as string | undefined) ?? 0)
    },
    /** Accounts whose balance is not what their entries come to; and what all balances come to, which is nothing. */
    verifyBook(): { total: bigint; wrong: string[] } {
      const total = sql('select cast(coalesce(sum(minor), 0) as text) as total from balances').get()!['total'] as string
      const wrong = sql(
        `with sides as (select debit as account, -minor as minor from entries union all select credit, minor from entries),
                fold as (select account, sum(minor) as minor from sides group by account)
           select coalesce(fold.account, balances.account) as account from fold full join balances using (account) where fold.minor is not balances.minor`,
      ).all()
      return { total: BigInt(total), wrong: wrong.map((row) => row['account'] as string) }
    },
  }
}
