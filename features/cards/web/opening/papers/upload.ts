import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '#features/identity/contract-words.ts'
import type { UploadPurpose } from '#features/identity/contract-words.ts'
import { papersApi } from '../opening-api.ts'

const LONGEST = 2400

/**
 * A photo of a phone has 5 MB and more; what is read needs a tenth of it. Made smaller here it is up in seconds on a slow line.
 * Where the browser cannot, it goes as it is.
 */
async function shrinkPicture(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const share = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
    if (share === 1 && file.size < 2_000_000) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * share)
    canvas.height = Math.round(picture.height * share)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.9))
    return blob ?? file
  } catch {
    return file
  }
}

/** Why a file cannot even be sent. */
export function isUnsupportedFile(file: File): boolean {
  return !(UPLOAD_TYPES as readonly string[]).includes(file.type) || (file.size > MAX_UPLOAD_BYTES && typeof createImageBitmap !== 'function')
}

/** Allowed, sent, taken in; resolves with its name. */
export async function uploadPaper(purpose: UploadPurpose, file: File): Promise<string> {
  const body = await shrinkPicture(file)
  const type = (UPLOAD_TYPES as readonly string[]).includes(body.type) ? (body.type as (typeof UPLOAD_TYPES)[number]) : 'image/jpeg'
  const policy = await papersApi.uploadPolicy({ purpose, type, size: body.size })
  const form = new FormData()
  for (const [name, value] of Object.entries(policy.fields)) form.append(name, value)
  form.append('file', body)
  const sent = await fetch(policy.url, { method: 'POST', body: form })
  if (!sent.ok) throw new Error(String(sent.status))
  await papersApi.uploadDone({ filePath: policy.filePath })
  return policy.filePath
}
