import type { Ctx, Deps, RawReply, RawRequest } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import type { papersContract } from '../../contract-papers.ts'
import { UNSAID, UPLOAD_MOST } from '../../contract-words.ts'
import { ownRow } from '../person.ts'
import { dataKey, openBytes, sealBytes } from '../secrets.ts'
import { uploadsPerDay } from '../settings.ts'
import { cleanUpload } from './clean-upload.ts'
import { endFile, fileById, insertFile, keepFile, lockFile, ownFile, uploadsSince } from './data.ts'
import type { FileRow } from './data.ts'
import { readUploadForm } from './read-form.ts'
import { isSigned } from './signing.ts'
import { storeOf, storeTools } from './vendors/index.ts'

type In<K extends keyof typeof papersContract> = InputOf<(typeof papersContract)[K]>

const DAY_MS = 86_400_000
export const PDF = 'application/pdf'
/** Placeholder for an unknown type. */
const ANY_PICTURE = 'image/*'
const POLICY_MS = 10 * 60_000

/** Allows one upload of this user for ten minutes, with this size and type; a picture of any size if they are not given. */
export async function uploadPolicy(ctx: Ctx, { purpose: named, type, size }: In<'uploadPolicy'>) {
  const purpose = named ?? UNSAID
  if (type === PDF && purpose !== 'evidence') fail('BAD_INPUT', { fields: ['type'] })
  const now = ctx.clock.now()
  const perDay = await ctx.settings.get(uploadsPerDay)
  const most = size ?? UPLOAD_MOST
  const id = newId('paper', now.getTime())
  const expiresAt = new Date(now.getTime() + POLICY_MS)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await ownRow(ctx, tx)
    if ((await uploadsSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))) >= perDay) fail('TOO_MANY')
    await insertFile(tx, { id, userId: ctx.userId, purpose, type: type ?? ANY_PICTURE, bytes: size ?? UPLOAD_MOST, now, expiresAt })
    await tx.audit('identity.upload-allowed', `user:${ctx.userId}`, { file: id, purpose })
  })
  const { url, fields } = storeOf(ctx.config).allow(storeTools(ctx), { id, type, least: size ?? 1, most, expiresAt })
  return { filePath: id, url, fields, maxBytes: most, expiresTime: expiresAt.toISOString() }
}

/** Receives an upload for the local folder. A file that was not allowed, or is already complete, leaves no trace. */
export async function receiveUpload(deps: Deps, request: RawRequest): Promise<RawReply> {
  const no: RawReply = { status: 403, type: 'text/plain', body: 'refused' }
  const store = storeOf(deps.config)
  const form = store.receive && (await readUploadForm(request.body, String(request.headers['content-type'] ?? '')))
  if (!store.receive || !form) return no
  const { fields, file } = form
  const row = await fileById(deps.db, fields['key'] ?? '')
  if (row?.state !== 'expected') return no
  const outcome = await store.receive(storeTools(deps), fields, file)
  return outcome === 'kept' ? { status: 204, type: 'text/plain', body: '' } : no
}

/** Completes an upload. The raw file is deleted in any case. */
export async function uploadDone(ctx: Ctx, { filePath }: In<'uploadDone'>) {
  const { width, height } = await takenIn(ctx, filePath)
  return { filePath, width: width!, height: height! }
}

/** The user's own stored picture; an upload in quarantine is completed first. */
export async function takenIn(ctx: Ctx, id: string): Promise<FileRow> {
  const row = (await ownFile(ctx.db, ctx.userId, id)) ?? fail('UPLOAD_NOT_FOUND')
  if (row.state === 'kept') return row
  if (row.state !== 'expected') return keptNow(row)
  const [store, tools] = [storeOf(ctx.config), storeTools(ctx)]
  const file = await store.takeOut(tools, id, UPLOAD_MOST)
  // Not uploaded yet, or another request has just completed it.
  if (!file) return keptNow(await ownFile(ctx.db, ctx.userId, id))
  const cleaned = await cleanUpload(ctx.log, { kind: row.type === PDF ? 'pdf' : 'image', file, owner: ctx.userId })
  // It stays in quarantine for the next request.
  if (cleaned === 'busy') fail('TOO_MANY')
  const key = (await dataKey(ctx, ctx.db, ctx.userId)) ?? fail('UPLOAD_NOT_FOUND')
  if (cleaned) await store.put(tools, id, sealBytes(key, id, cleaned.body))
  await store.dropUpload(tools, id)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const now = (await lockFile(tx, id))!
    if (now.state === 'expected') {
      if (cleaned) await keepFile(tx, id, cleaned, ctx.clock.now())
      else await endFile(tx, id, 'refused')
      await tx.audit(cleaned ? 'identity.picture-kept' : 'identity.picture-refused', `user:${ctx.userId}`, { file: id, purpose: now.purpose })
    }
    return ownFile(tx, ctx.userId, id)
  }).then(keptNow)
}

function keptNow(row: FileRow | undefined): FileRow {
  if (row?.state === 'kept') return row
  return fail(row?.state === 'refused' ? 'UPLOAD_REFUSED' : 'UPLOAD_NOT_FOUND')
}

/** Decrypted bytes of a stored picture. */
export async function pictureOf(ctx: Pick<Ctx, 'db' | 'config' | 'clock' | 'publicUrl' | 'secretKey' | 'secretKeys'>, row: FileRow): Promise<Buffer> {
  const key = (await dataKey(ctx, ctx.db, row.user_id)) ?? fail('UPLOAD_NOT_FOUND')
  const sealed = (await storeOf(ctx.config).get(storeTools(ctx), row.id)) ?? fail('UPLOAD_NOT_FOUND')
  return openBytes(key, row.id, sealed)
}

/** Serves a picture to its owner only, with a signed URL of the last 300 s. */
export async function uploadFile(ctx: Ctx, { filePath, until, sign }: In<'uploadFile'>): Promise<FileReply> {
  if (!isSigned(ctx, ctx.userId, filePath, until, sign)) fail('UPLOAD_NOT_FOUND')
  const row = await ownFile(ctx.db, ctx.userId, filePath)
  if (row?.state !== 'kept') fail('UPLOAD_NOT_FOUND')
  const [type, end] = row.type === PDF ? [PDF, 'pdf'] : ['image/jpeg', 'jpg']
  return { type, filename: `${row.purpose}.${end}`, body: new Uint8Array(await pictureOf(ctx, row)) }
}

export async function uploadDelete(ctx: Ctx, { filePath }: In<'uploadDelete'>): Promise<{}> {
  const row = await ownFile(ctx.db, ctx.userId, filePath)
  if (!row || (row.state !== 'kept' && row.state !== 'expected')) fail('UPLOAD_NOT_FOUND')
  await deleteFiles(ctx, [row])
  return {}
}

/** Deletes the file before the row: a row without a file shows nothing, a file without a row would be orphaned. */
export async function deleteFiles(ctx: Deps & { readonly actor?: Ctx['actor'] }, rows: readonly FileRow[]): Promise<void> {
  const [store, tools] = [storeOf(ctx.config), storeTools(ctx)]
  for (const { id, user_id } of rows) {
    await store.drop(tools, id)
    await store.dropUpload(tools, id)
    await transact(ctx.db, ctx.actor ?? { kind: 'system', id: 'system' }, async (tx) => {
      await endFile(tx, id, 'gone')
      await tx.audit('identity.picture-deleted', `user:${user_id}`, { file: id })
    })
  }
}
