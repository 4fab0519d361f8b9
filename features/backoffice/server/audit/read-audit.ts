import { formatCsvLine } from '#platform/server/csv.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { auditContract } from '../../contract-audit.console.ts'
import { listAuditRows, listChainedRows, listChainDiscrepancies, findChainHead, findChainHash } from './data.ts'

type Contract = typeof auditContract
const BATCH = 1000
const splitWords = (text: string | undefined) =>
  text
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean)

export async function readAuditLog(ctx: Ctx, wanted: InputOf<Contract['audit']>): Promise<ReplyOf<Contract['audit']>> {
  const rows = await listAuditRows(ctx.db, {
    ...{ actor: wanted.actor, target: wanted.target, actions: splitWords(wanted.actions), except: splitWords(wanted.except), from: wanted.from, to: wanted.to },
    ...{ before: wanted.before === undefined ? undefined : BigInt(wanted.before), limit: wanted.limit },
  })
  return {
    rows: rows.map((row) => ({
      ...{ id: row.id.toString(), at: row.at.toISOString(), actorKind: row.actorKind, actorId: row.actorId },
      ...{ action: row.action, target: row.target, data: row.data, seq: row.seq?.toString() ?? null },
    })),
    before: rows.length === wanted.limit ? rows.at(-1)!.id.toString() : null,
  }
}

/** The export is itself audited. */
export async function exportAuditLog(ctx: Ctx, { from, to }: InputOf<Contract['auditFile']>): Promise<FileReply> {
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('audit.exported', 'audit', { from, to, via: ctx.operator!.by, viaId: ctx.sessionId }))
  return { type: 'text/csv; charset=utf-8', filename: `audit-${from}-${to}.csv`, body: toLines(ctx, from, to) }
}

async function* toLines({ db }: Ctx, from: string, to: string): AsyncGenerator<string> {
  const head = await findChainHead(db)
  yield formatCsvLine(['seq', 'id', 'at', 'operator', 'action', 'target', 'data', 'hash'])
  for (let after = 0n; ;) {
    const rows = await listChainedRows(db, from, { to, afterSeq: after, limit: BATCH })
    for (const row of rows)
      yield formatCsvLine([`${row.seq}`, `${row.id}`, row.at.toISOString(), row.actorId, row.action, row.target, JSON.stringify(row.data), row.hash ?? ''])
    if (rows.length < BATCH) break
    after = rows.at(-1)!.seq!
  }
  yield formatCsvLine(['head', head, '', '', '', '', '', ''])
}

/** Verifies the hash chain. A chain head stored elsewhere also reveals a chain that was rewritten from some point on. */
export async function verifyAuditChain({ db }: Pick<Ctx, 'db'>, { head: kept }: InputOf<Contract['verifyAudit']>): Promise<ReplyOf<Contract['verifyAudit']>> {
  const { rows, faults } = await listChainDiscrepancies(db)
  const found = faults.map(({ seq, auditId, what }) => ({ seq: seq.toString(), auditId: auditId.toString(), what: what as string }))
  if (kept !== undefined) {
    const [seq = '0', hash = ''] = kept.split(':')
    if (seq !== '0' && (await findChainHash(db, BigInt(seq))) !== hash) found.push({ seq, auditId: '0', what: 'another head' })
  }
  return { head: await findChainHead(db), rows, faults: found }
}
