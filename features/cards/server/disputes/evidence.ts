import type { Deps } from '#platform/server/feature.ts'

export interface Evidence {
  readonly name: string
  readonly type: string
  readonly body: Uint8Array
}

/** What the user uploaded as evidence; undefined when it is not the user's, or gone. */
export async function evidenceOf(_deps: Deps, _userId: string, _filePath: string): Promise<Evidence | undefined> {
  return undefined
}
