import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startSandbox } from '#features/gateway/server/vendors/sandbox/test-server.ts'
import { RECORDINGS } from './requests.ts'
import { FIXTURES_FOLDER, type Transcript } from './transcript.ts'

/** The clock stands still while recording, so that recording again changes nothing. */
const NOW = new Date('2026-11-20T00:00:00Z')

export async function recordTranscripts(): Promise<Transcript[]> {
  const box = await startSandbox({ clock: { now: () => NOW } })
  const found: Transcript[] = []
  for (const { name, dialect, stream, model, path, headers, body } of RECORDINGS) {
    const answer = await fetch(box.url + path, {
      method: 'POST', body: JSON.stringify(body),
      headers: { ...headers, authorization: 'Bearer sandbox', 'content-type': 'application/json', 'x-mingxi-call-id': name },
    })
    const text = await answer.text()
    const { input, cached, output, reasoning } = (await box.closed(name)).billed
    found.push({
      name, dialect, stream, model, request: { path, headers, body },
      response: { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: text },
      billed: { input, cached, output, reasoning },
    })
  }
  await box.stop()
  return found
}

/** `node e2e/transcripts/record.ts` rewrites the fixtures. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(FIXTURES_FOLDER, { recursive: true })
  for (const transcript of await recordTranscripts()) writeFileSync(join(FIXTURES_FOLDER, `${transcript.name}.json`), `${JSON.stringify(transcript, null, 1)}\n`)
}
