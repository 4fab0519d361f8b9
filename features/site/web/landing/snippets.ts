import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'
import type { Snippet } from '#ui/code-block.tsx'

/** The shortest real call in each client, with this site's address and models currently on sale. */
export function buildSnippets(origin: string, model: string, claude: string): readonly Snippet[] {
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $MINGXI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`,
    },
    {
      id: 'python',
      label: 'Python',
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["MINGXI_API_KEY"],
)
reply = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
    },
    {
      id: 'node',
      label: 'Node',
      code: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/v1',
  apiKey: process.env.MINGXI_API_KEY,
})
const reply = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`,
    },
    {
      id: 'claude-code',
      label: 'Claude Code',
      code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="$MINGXI_API_KEY"
export ANTHROPIC_MODEL="${claude}"

claude`,
    },
    {
      id: 'codex',
      label: 'Codex',
      code: `# ~/.codex/config.toml
model = "${model}"
model_provider = "mingxi"

[model_providers.mingxi]
name = "Mingxi"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "MINGXI_API_KEY"`,
    },
  ]
}

const TOOLS = ['claude-code', 'codex']
export const isOwnClient = (vendor: Pick<(typeof SHOWN_VENDORS)[number], 'clients'> | undefined, client: string): boolean =>
  vendor?.clients?.includes(client) ?? false

/** The shortest call of one model: in the OpenAI format, and with its vendor's own client. */
export function modelSnippets(origin: string, model: string, vendor: string): readonly Snippet[] {
  const own = SHOWN_VENDORS.find(({ id }) => id === vendor)
  return buildSnippets(origin, model, model).filter(({ id }) => !TOOLS.includes(id) || isOwnClient(own, id))
}
