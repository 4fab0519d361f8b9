import type { Ctx, Deps, RawReply, RawRequest } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { FileReply, InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { papersContract } from '../../contract-papers.ts'
import { UNSPECIFIED_PURPOSE, MAX_UPLOAD_BYTES } from '../../contract-words.ts'
import { lockOwnPerson, readDataKey, openIdentityBytes, sealIdentityBytes } from '../person.ts'
import { uploadsPerDay } from '../settings.ts'
import { cleanUpload } from './clean-upload.ts'
import { closeFile, selectFileById, insertFile, markFileStored, lockFile, selectOwnFile, countUploadsSince } from './data.ts'
import type { FileRow } from './data.ts'
import { readUploadForm } from './read-form.ts'
import { isFileSigned } from './signing.ts'
import { getUploadStore, createStoreTools } from './vendors/index.ts'

type In<K extends keyof typeof papersContract> = InputOf<(typeof papersContract)[K]>

const DAY_MS = 86_400_000
export const PDF_TYPE = 'application/pdf'
/** Placeholder for an unknown type. */
const ANY_PICTURE = 'image/*'
const POLICY_MS = 10 * 60_000

/** Allows one upload of this user for ten minutes, with this size and type; a picture of any size if they are not given. */
export async function uploadPolicy(ctx: Ctx, { purpose: named, type, size }: In<'uploadPolicy'>) {
  const purpose = named ?? UNSPECIFIED_PURPOSE
  if (type === PDF_TYPE && purpose !== 'evidence') fail('BAD_INPUT', { fields: ['type'] })
  const now = ctx.clock.now()
  const perDay = await ctx.settings.get(uploadsPerDay)
  const most = size ?? MAX_UPLOAD_BYTES
  const id = createId('paper', now.getTime())
  const expiresAt = new Date(now.getTime() + POLICY_MS)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await lockOwnPerson(ctx, tx)
    if ((await countUploadsSince(tx, ctx.userId, new Date(now.getTime() - DAY_MS))) >= perDay) fail('TOO_MANY')
    await insertFile(tx, { id, userId: ctx.userId, purpose, type: type ?? ANY_PICTURE, bytes: size ?? MAX_UPLOAD_BYTES, now, expiresAt })
    await tx.audit('identity.upload-allowed', `user:${ctx.userId}`, { file: id, purpose })
  })
  const { url, fields } = getUploadStore(ctx).allow(createStoreTools(ctx), { id, type, least: size ?? 1, most, expiresAt })
  return { filePath: id, url, fields, maxBytes: most, expiresTime: expiresAt.toISOString() }
}

/** Receives an upload for the local folder. A file that was not allowed, or is already complete, leaves no trace. */
export async function receiveUpload(deps: Deps, request: RawRequest): Promise<RawReply> {
  const no: RawReply = { status: 403, type: 'text/plain', body: 'refused' }
  const store = getUploadStore(deps)
  const form = store.receive && (await readUploadForm(request.body, String(request.headers['content-type'] ?? '')))
  if (!store.receive || !form) return no
  const { fields, file } = form
  const row = await selectFileById(deps.db, fields['key'] ?? '')
  if (row?.state !== 'expected') return no
  const outcome = await store.receive(createStoreTools(deps), fields, file)
  return outcome === 'kept' ? { status: 204, type: 'text/plain', body: '' } : no
}

/** Completes an upload. The raw file is deleted in any case. */
export async function uploadDone(ctx: Ctx, { filePath }: In<'uploadDone'>) {
  const { width, height } = await requireStoredFile(ctx, filePath)
  return { filePath, width: width!, height: height! }
}

/** The user's own stored picture; an upload in quarantine is completed first. */
export async function requireStoredFile(ctx: Ctx, id: string): Promise<FileRow> {
  const row = (await selectOwnFile(ctx.db, ctx.userId, id)) ?? fail('UPLOAD_NOT_FOUND')
  if (row.state === 'kept') return row
  if (row.state !== 'expected') return requireStored(row)
  const [store, tools] = [getUploadStore(ctx), createStoreTools(ctx)]
  const file = await store.takeOut(tools, id, MAX_UPLOAD_BYTES)
  // The file is not uploaded yet, or another request has just completed it.
  if (!file) return requireStored(await selectOwnFile(ctx.db, ctx.userId, id))
  const cleaned = await cleanUpload(ctx.log, { kind: row.type === PDF_TYPE ? 'pdf' : 'image', file, owner: ctx.userId })
  // The file stays in quarantine for the next request.
  if (cleaned === 'busy') fail('TOO_MANY')
  const key = (await readDataKey(ctx, ctx.db, ctx.userId)) ?? fail('UPLOAD_NOT_FOUND')
  if (cleaned) await store.put(tools, id, sealIdentityBytes(key, id, cleaned.body))
  await store.dropUpload(tools, id)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const now = (await lockFile(tx, id))!
    if (now.state === 'expected') {
      if (cleaned) await markFileStored(tx, id, { size: cleaned, now: ctx.clock.now() })
      else await closeFile(tx, id, 'refused')
      await tx.audit(cleaned ? 'identity.picture-kept' : 'identity.picture-refused', `user:${ctx.userId}`, { file: id, purpose: now.purpose })
    }
    return selectOwnFile(tx, ctx.userId, id)
  }).then(requireStored)
}

function requireStored(row: FileRow | undefined): FileRow {
  if (row?.state === 'kept') return row
  return fail(row?.state === 'refused' ? 'UPLOAD_REFUSED' : 'UPLOAD_NOT_FOUND')
}

/** Decrypted bytes of a stored picture. */
export async function decryptPicture(
  ctx: Pick<Ctx, 'db' | 'config' | 'clock' | 'log' | 'publicUrl' | 'secretKey' | 'secretKeys'>,
  row: FileRow,
): Promise<Buffer> {
  const key = (await readDataKey(ctx, ctx.db, row.userId)) ?? fail('UPLOAD_NOT_FOUND')
  const sealed = (await getUploadStore(ctx).get(createStoreTools(ctx), row.id)) ?? fail('UPLOAD_NOT_FOUND')
  return openIdentityBytes(key, row.id, sealed)
}

/** Serves a picture to its owner only, with a signed URL of the last 300 s. */
export async function uploadFile(ctx: Ctx, { filePath, until, sign }: In<'uploadFile'>): Promise<FileReply> {
  if (!isFileSigned(ctx, ctx.userId, { id: filePath, until, sign })) fail('UPLOAD_NOT_FOUND')
  const row = await selectOwnFile(ctx.db, ctx.userId, filePath)
  if (row?.state !== 'kept') fail('UPLOAD_NOT_FOUND')
  const [type, end] = row.type === PDF_TYPE ? [PDF_TYPE, 'pdf'] : ['image/jpeg', 'jpg']
  return { type, filename: `${row.purpose}.${end}`, body: new Uint8Array(await decryptPicture(ctx, row)) }
}

export async function uploadDelete(ctx: Ctx, { filePath }: In<'uploadDelete'>): Promise<{}> {
  const row = await selectOwnFile(ctx.db, ctx.userId, filePath)
  if (!row || (row.state !== 'kept' && row.state !== 'expected')) fail('UPLOAD_NOT_FOUND')
  await deleteFiles(ctx, [row])
  return {}
}

/** Deletes the file before the row: a row without a file shows nothing, a file without a row would be orphaned. */
export async function deleteFiles(ctx: Deps & { readonly actor?: Ctx['actor'] }, rows: readonly FileRow[]): Promise<void> {
  const [store, tools] = [getUploadStore(ctx), createStoreTools(ctx)]
  for (const { id, userId } of rows) {
    await store.drop(tools, id)
    await store.dropUpload(tools, id)
    await transact(ctx.db, ctx.actor ?? { kind: 'system', id: 'system' }, async (tx) => {
      await closeFile(tx, id, 'gone')
      await tx.audit('identity.picture-deleted', `user:${userId}`, { file: id })
    })
  }
}
