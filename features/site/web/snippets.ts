import type { Snippet } from '#ui/code-block.tsx'

/** The shortest real call in each client; the address is this site's. */
export function snippets(origin: string): readonly Snippet[] {
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $MINGXI_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "gpt-6.2-sol",
    "messages": [{"role": "user", "content": "Hello"}]
  }'`,
    },
    {
      id: 'openai',
      label: 'Python (OpenAI)',
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${origin}/v1",
    api_key=os.environ["MINGXI_API_KEY"],
)
reply = client.chat.completions.create(
    model="gpt-6.2-sol",
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
    },
    {
      id: 'anthropic',
      label: 'Node (Anthropic)',
      code: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${origin}',
  apiKey: process.env.MINGXI_API_KEY,
})
const reply = await client.messages.create({
  model: 'claude-sonnet-5-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.content)`,
    },
    {
      id: 'gemini',
      label: 'Node (Gemini)',
      code: `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: process.env.MINGXI_API_KEY,
  httpOptions: { baseUrl: '${origin}' },
})
const reply = await client.models.generateContent({
  model: 'gemini-3.8-flash',
  contents: 'Hello',
})
console.log(reply.text)`,
    },
  ]
}
