import type { MediaKind } from '#features/gateway/contract-units.ts'
import type { Snippet } from '#ui/code-block.tsx'

interface Call {
  readonly path: string
  /** Members of the JSON body after the model. */
  readonly body?: string
  /** Form fields after the model, for calls that send a file. */
  readonly form?: string
  readonly output?: string
  readonly python: string
  readonly node: string
}

const CALLS: Readonly<Record<MediaKind, Call>> = {
  image: {
    path: '/v1/images/generations',
    body: '"prompt": "A paper receipt on a desk", "quality": "low"',
    python: 'reply = client.images.generate(model=MODEL, prompt="A paper receipt on a desk", quality="low")\nprint(reply.data[0].b64_json[:40])',
    node: "const reply = await client.images.generate({ model, prompt: 'A paper receipt on a desk', quality: 'low' })\nconsole.log(reply.usage)",
  },
  speech: {
    path: '/v1/audio/speech',
    body: '"voice": "ash", "input": "Hello"',
    output: 'hello.mp3',
    python: 'reply = client.audio.speech.create(model=MODEL, voice="ash", input="Hello")\nreply.write_to_file("hello.mp3")',
    node: "const reply = await client.audio.speech.create({ model, voice: 'ash', input: 'Hello' })\nconsole.log((await reply.arrayBuffer()).byteLength)",
  },
  transcription: {
    path: '/v1/audio/transcriptions',
    form: '-F file=@hello.mp3',
    python: 'reply = client.audio.transcriptions.create(model=MODEL, file=open("hello.mp3", "rb"))\nprint(reply.text)',
    node: "const reply = await client.audio.transcriptions.create({ model, file: createReadStream('hello.mp3') })\nconsole.log(reply.text)",
  },
  moderation: {
    path: '/v1/moderations',
    body: '"input": "Hello"',
    python: 'reply = client.moderations.create(model=MODEL, input="Hello")\nprint(reply.results[0].flagged)',
    node: "const reply = await client.moderations.create({ model, input: 'Hello' })\nconsole.log(reply.results[0].flagged)",
  },
  rerank: {
    path: '/v1/rerank',
    body: '"query": "capital of France", "documents": ["Berlin", "Paris"]',
    python:
      'reply = client.post("/rerank", cast_to=object, body={"model": MODEL, "query": "capital of France", "documents": ["Berlin", "Paris"]})\nprint(reply)',
    node: "const reply = await client.post('/rerank', { body: { model, query: 'capital of France', documents: ['Berlin', 'Paris'] } })\nconsole.log(reply.results)",
  },
}

/** The shortest real call of a model for images, audio, moderation or ranking. */
export function buildMediaSnippets(origin: string, model: string, kind: MediaKind): readonly Snippet[] {
  const { path, body, form, output, python, node } = CALLS[kind]
  const sent = body === undefined ? `  -F model=${model} \\\n  ${form}` : `  -H "Content-Type: application/json" \\\n  -d '{"model": "${model}", ${body}}'`
  const saved = output === undefined ? '' : ` \\\n  --output ${output}`
  const reads = node.includes('createReadStream') ? "import { createReadStream } from 'node:fs'\n" : ''
  return [
    { id: 'curl', label: 'curl', code: `curl ${origin}${path} \\\n  -H "Authorization: Bearer $MINGXI_API_KEY" \\\n${sent}${saved}` },
    {
      id: 'python',
      label: 'Python',
      code: `import os
from openai import OpenAI

MODEL = "${model}"
client = OpenAI(base_url="${origin}/v1", api_key=os.environ["MINGXI_API_KEY"])
${python}`,
    },
    {
      id: 'node',
      label: 'Node',
      code: `${reads}import OpenAI from 'openai'

const model = '${model}'
const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.MINGXI_API_KEY })
${node}`,
    },
  ]
}
