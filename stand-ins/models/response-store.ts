import type { Json, JsonObject } from './read/json.ts'
import { str } from './read/json.ts'

const KEPT = 2_000

/** Stored responses (store is on by default with OpenAI): for previous_response_id, item references and GET. In memory. */
export interface ResponseStore {
  keep(id: string, response: JsonObject, input: readonly Json[], output: readonly JsonObject[]): void
  response(id: string): JsonObject | undefined
  /** Input and output items of a response and of those before it. */
  conversation(id: string): readonly Json[] | undefined
  item(id: string): JsonObject | undefined
  remove(id: string): boolean
}

export function createResponseStore(): ResponseStore {
  const responses = new Map<string, { readonly response: JsonObject; readonly items: readonly Json[]; readonly output: readonly string[] }>()
  const items = new Map<string, JsonObject>()

  function remove(id: string): boolean {
    for (const item of responses.get(id)?.output ?? []) items.delete(item)
    return responses.delete(id)
  }

  return {
    keep(id, response, input, output) {
      const ids = output.map((item) => str(item['id']) ?? '')
      responses.set(id, { response, items: [...input, ...output], output: ids })
      for (const [at, item] of output.entries()) items.set(ids[at]!, item)
      if (responses.size > KEPT) remove(responses.keys().next().value!)
    },
    response: (id) => responses.get(id)?.response,
    conversation: (id) => responses.get(id)?.items,
    item: (id) => items.get(id),
    remove,
  }
}
