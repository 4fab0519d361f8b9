import { z } from 'zod'
import { createApi } from '#platform/web/calls/api.ts'
import { defineContract } from '#platform/shared/contract.ts'

/** As `features/identity` serves them. */
const uploads = createApi(
  defineContract({})({
    policy: {
      method: 'GET',
      path: '/common/upload/policy',
      access: 'user',
      summary: 'A signed permission to upload one file',
      input: z.object({ purpose: z.string(), type: z.string(), size: z.number() }),
      reply: z.object({ filePath: z.string(), url: z.string(), fields: z.record(z.string(), z.string()), maxBytes: z.number() }),
      errors: [],
    },
    done: {
      method: 'POST',
      path: '/common/upload/done',
      access: 'user',
      summary: 'Takes an uploaded file in',
      timeoutMs: 60_000,
      input: z.object({ filePath: z.string() }),
      reply: z.object({ filePath: z.string() }),
      errors: [],
    },
  }),
)

export const DISPUTE_EVIDENCE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']
export const MAX_EVIDENCE_BYTES = 10_000_000

/** Sends one file to where the policy says, and has it taken in; what it answers goes with the dispute. */
export async function uploadEvidence(file: File): Promise<string> {
  const policy = await uploads.policy({ purpose: 'evidence', type: file.type, size: file.size })
  const form = new FormData()
  for (const [name, value] of Object.entries(policy.fields)) form.append(name, value)
  form.append('file', file)
  const response = await fetch(policy.url, { method: 'POST', body: form, credentials: 'omit' })
  if (!response.ok) throw new Error(`upload ${response.status}`)
  return (await uploads.done({ filePath: policy.filePath })).filePath
}
