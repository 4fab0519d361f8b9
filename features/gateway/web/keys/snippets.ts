import type { Snippet } from '#ui/code-block.tsx'
import { CHAT_VENDORS, findShownVendor } from '../vendors/shown.ts'

/** Placeholder for a secret: the real one appears only in the dialog that shows it once. */
export const KEY_PLACEHOLDER = '$MINGXI_API_KEY'

/** Default if no model is chosen. */
export const DEFAULT_SNIPPET_MODEL: SnippetModel = { id: CHAT_VENDORS[0].example ?? '', vendor: CHAT_VENDORS[0].id }
const EXAMPLE_MODELS = CHAT_VENDORS.flatMap(({ example }) => example ?? [])

/** The model that a snippet calls, and its vendor. */
export interface SnippetModel {
  readonly id: string
  readonly vendor: string
}

export function buildCurlSnippet(origin: string, key: string, model = DEFAULT_SNIPPET_MODEL.id): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "你好"}]}'`
}

/** True if the client is made by or for the model's vendor: such snippets come first, because others need translation. */
const isVendorClient = (vendor: string, client: string): boolean => findShownVendor(vendor)?.clients?.includes(client) ?? false

interface SnippetWords {
  readonly other: string
  readonly base: string
  readonly key: string
  readonly models: string
}

/** Working code for this host and model; each snippet uses the form of the base URL that its client requires (wire.md 2). */
export function buildKeySnippets(
  origin: string,
  key: string,
  { words, models, model = DEFAULT_SNIPPET_MODEL }: { readonly words: SnippetWords; readonly models: readonly string[]; readonly model?: SnippetModel },
): Snippet[] {
  const all = [...buildSdkSnippets(origin, key, model), ...buildToolSnippets(origin, key, model), buildOtherSnippet(origin, key, { words, models })]
  return all.toSorted((a, b) => Number(isVendorClient(model.vendor, b.id)) - Number(isVendorClient(model.vendor, a.id)))
}

function buildSdkSnippets(origin: string, key: string, { id }: SnippetModel): Snippet[] {
  return [
    { id: 'curl', label: 'curl', code: buildCurlSnippet(origin, key, id) },
    {
      id: 'python',
      label: 'Python',
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
reply = client.chat.completions.create(
    model="${id}",
    messages=[{"role": "user", "content": "你好"}],
)
print(reply.choices[0].message.content)`,
    },
    {
      id: 'node',
      label: 'Node',
      code: `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${key}' })
const reply = await client.chat.completions.create({
  model: '${id}',
  messages: [{ role: 'user', content: '你好' }],
})
console.log(reply.choices[0].message.content)`,
    },
    {
      id: 'anthropic',
      label: 'Anthropic',
      code: `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${origin}', apiKey: '${key}' })
const message = await client.messages.create({
  model: '${id}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: '你好' }],
})
console.log(message.content)`,
    },
    {
      id: 'genai',
      label: 'Google GenAI',
      code: `// npm install @google/genai
import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: '${key}', httpOptions: { baseUrl: '${origin}' } })
const reply = await client.models.generateContent({ model: '${id}', contents: '你好' })
console.log(reply.text)`,
    },
  ]
}

/**
 * A snippet names the model only if it is not the tool vendor's own. Codex requests OpenAI's web search, which other vendors do not have.
 */
function buildToolSnippets(origin: string, key: string, { id, vendor }: SnippetModel): Snippet[] {
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="${key}"
claude${isVendorClient(vendor, 'claude-code') ? '' : ` --model ${id}`}`,
    },
    {
      id: 'codex',
      label: 'Codex',
      code: `# ~/.codex/config.toml
model = "${id}"
model_provider = "mingxi"
${isVendorClient(vendor, 'codex') ? '' : 'web_search = "disabled"\n'}
[model_providers.mingxi]
name = "Mingxi"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "MINGXI_API_KEY"

# shell
export MINGXI_API_KEY="${key}"`,
    },
    {
      id: 'gemini-cli',
      label: 'Gemini CLI',
      code: `export GOOGLE_GEMINI_BASE_URL="${origin}"
export GEMINI_API_KEY="${key}"
gemini -m ${id}`,
    },
  ]
}

function buildOtherSnippet(origin: string, key: string, { words, models }: { readonly words: SnippetWords; readonly models: readonly string[] }): Snippet {
  const listed = models.length > 0 ? models : EXAMPLE_MODELS
  return {
    id: 'other',
    label: words.other,
    code: `${words.base}  ${origin}/v1\n${words.key}  ${key}\n${words.models}\n${listed.map((one) => `  ${one}`).join('\n')}`,
  }
}
