import { refuse } from '../write/errors.ts'
import type { JsonObject } from './json.ts'
import type { Upload } from '../visit.ts'

/** A form's texts by name, and its files. Names of lists (`image[]`) keep their brackets. */
export async function readForm(bytes: Buffer, contentType: string): Promise<{ readonly json: JsonObject; readonly files: readonly Upload[] }> {
  const json: Record<string, string> = {}
  const files: Upload[] = []
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return refuse('We could not parse the form data of your request.')
  }
  for (const [field, value] of form) {
    if (typeof value === 'string') json[field] = value
    else files.push({ field, name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { json, files }
}
