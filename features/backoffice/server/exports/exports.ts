import type { Ctx, Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { bulkContract } from '../../contract-bulk.console.ts'
import { resolvePermissions } from '../../permissions.ts'
import { findOperator } from '../access/data.ts'
import { requirePerson } from '../access/require-person.ts'
import { endExport, listExportsByOperator, findExportFile, findExport, forgetExports, insertExport, updateExportProgress } from './data.ts'
import { writeList } from './write-list.ts'
import type { ConsoleList } from './write-list.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

type C = typeof bulkContract
type Lists = () => ReadonlyMap<string, ConsoleList>
const RETENTION_MS = 7 * 86_400_000
const TYPES = { csv: 'text/csv; charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' } as const

/** Requests an export of a list that the operator may read; the request is audited. */
export const startExport =
  (lists: Lists) =>
  async (ctx: Ctx, { path, filter, format }: InputOf<C['startExport']>): Promise<{ id: string }> => {
    requirePerson(ctx)
    const { endpoint } = lists().get(path) ?? fail('NOT_FOUND')
    if (endpoint.permission && !ctx.operator!.permissions.has(endpoint.permission)) fail('FORBIDDEN')
    if (!endpoint.input.safeParse(filter).success) fail('BAD_INPUT', { fields: ['filter'] })
    const now = ctx.clock.now()
    const id = createId('exp', now.getTime())
    await transact(ctx.db, ctx.actor, async (tx) => {
      await insertExport(tx, { id, path, filter, format, madeBy: ctx.operator!.id, madeAt: now })
      await tx.audit('list.exported', `export:${id}`, { path, filter, format, ip: ctx.ip })
      await ctx.jobs.send(tx, 'backoffice.export', { id })
    })
    return { id }
  }

/** Reads with the operator's current permissions: an operator who was suspended or lost the permission gets no file. */
export const runExport =
  (lists: Lists) =>
  async (deps: Deps, { id }: { id: string }): Promise<void> => {
    const asked = await findExport(deps.db, id)
    if (asked?.state !== 'waiting') return
    const [operator, list] = [await findOperator(deps.db, asked.madeBy), lists().get(asked.path)]
    const permissions = resolvePermissions(operator?.roles ?? [])
    const may = operator?.status === 'active' && list && (!list.endpoint.permission || permissions.has(list.endpoint.permission))
    const made = may
      ? await writeList(createOperatorContext(deps, asked.madeBy, permissions), list, {
          filter: asked.filter,
          format: asked.format,
          progress: (rows) => updateExportProgress(deps.db, id, rows),
        }).catch((error: unknown) => {
          deps.log.error({ err: error, id }, 'a list export failed')
          return undefined
        })
      : undefined
    await transact(deps.db, SYSTEM, async (tx) => {
      await endExport(tx, id, { state: made ? 'done' : 'failed', rows: made?.rows ?? 0, file: made?.file ?? null, at: deps.clock.now() })
      await forgetExports(tx, new Date(deps.clock.now().getTime() - RETENTION_MS))
      await tx.audit('list.written', `export:${id}`, { rows: made?.rows ?? null })
    })
  }

/** Reads page after page as if the operator requested it. */
function createOperatorContext(deps: Deps, id: string, permissions: ReadonlySet<string>): Ctx {
  return {
    ...deps,
    ...{
      actor: { kind: 'operator', id },
      userId: '',
      sessionId: '',
      lang: DEFAULT_LANG,
      clientType: 1,
      requestId: `export-${id}`,
      ip: '127.0.0.1',
      userAgent: '',
    },
    ...{ tx: undefined, operator: { id, by: 'session', sessionId: '', permissions, provenAt: new Date(0) } },
  }
}

export async function listExports(ctx: Ctx): Promise<ReplyOf<C['exports']>> {
  const rows = await listExportsByOperator(ctx.db, ctx.operator!.id, new Date(ctx.clock.now().getTime() - RETENTION_MS))
  return {
    rows: rows.map(({ id, path, format, state, rows: n, madeAt, endedAt }) => ({
      ...{ id, path, format, state, rows: n, madeAt: madeAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
    })),
  }
}

export async function readExport(ctx: Ctx, { id }: InputOf<C['exportFile']>): Promise<FileReply> {
  const asked = await findExport(ctx.db, id)
  if (asked?.madeBy !== ctx.operator!.id) fail('NOT_FOUND')
  const file = (await findExportFile(ctx.db, id)) ?? fail('NOT_FOUND')
  const name = asked!.path
    .split('/')
    .at(-1)!
    .replaceAll(/[^a-z0-9-]/gi, '')
  return { type: TYPES[asked!.format], filename: `${name}-${id.slice(-8)}.${asked!.format}`, body: new Uint8Array(file) }
}
