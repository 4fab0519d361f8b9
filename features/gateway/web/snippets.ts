import type { Snippet } from '#ui/code-block.tsx'

/** Stands where a secret would: nothing real is written outside the dialog that shows it once. */
export const PLACEHOLDER = '$MINGXI_API_KEY'

const OPENAI = 'gpt-6.2-sol'
const CLAUDE = 'claude-sonnet-5-5'
const GEMINI = 'gemini-3.8-flash'

export function curlSnippet(origin: string, key: string): string {
  return `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${OPENAI}", "messages": [{"role": "user", "content": "你好"}]}'`
}

/** Working code for this host; each takes the base URL in the form that its client wants (wire.md, section 2). */
export function keySnippets(
  origin: string,
  key: string,
  words: { other: string; base: string; key: string; models: string },
  models: readonly string[],
): Snippet[] {
  return [
    { id: 'curl', label: 'curl', code: curlSnippet(origin, key) },
    {
      id: 'python',
      label: 'Python',
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")
reply = client.chat.completions.create(
    model="${OPENAI}",
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
  model: '${OPENAI}',
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
  model: '${CLAUDE}',
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
const reply = await client.models.generateContent({ model: '${GEMINI}', contents: '你好' })
console.log(reply.text)`,
    },
    {
      id: 'claude-code',
      label: 'Claude Code',
      code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="${key}"
claude`,
    },
    {
      id: 'codex',
      label: 'Codex',
      code: `# ~/.codex/config.toml
model = "${OPENAI}"
model_provider = "mingxi"

[model_providers.mingxi]
name = "Mingxi"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "MINGXI_API_KEY"

# shell
export MINGXI_API_KEY="${key}"`,
    },
    {
      id: 'other',
      label: words.other,
      code: `${words.base}  ${origin}/v1\n${words.key}  ${key}\n${words.models}\n${(models.length ? models : [OPENAI, CLAUDE, GEMINI]).map((id) => `  ${id}`).join('\n')}`,
    },
  ]
}
