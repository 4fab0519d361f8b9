import type { Snippet } from '#ui/code-block.tsx'

/** The shortest real call in each client; the address is this site's, the models are on sale today. */
export function snippets(origin: string, openai: string, claude: string): readonly Snippet[] {
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $MINGXI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${openai}",
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
    model="${openai}",
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
  model: '${openai}',
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
model = "${openai}"
model_provider = "mingxi"

[model_providers.mingxi]
name = "Mingxi"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "MINGXI_API_KEY"`,
    },
  ]
}

/** The same for one model: its own vendor's client, else the OpenAI shape. */
export function snippetsFor(origin: string, model: string, vendor: string): readonly Snippet[] {
  const all = snippets(origin, model, model)
  if (vendor === 'openai') return all.filter((snippet) => snippet.id !== 'claude-code')
  return vendor === 'anthropic' ? all.filter((snippet) => snippet.id !== 'codex') : all.slice(0, 3)
}
