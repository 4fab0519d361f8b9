/** Answers as the vendors send them, small enough to cut at every byte. */
const chunk = (delta: string, rest = ''): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}]${rest}}\n\n`
const finishChunk = (rest = ''): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]${rest}}\n\n`
const usageChunk =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":5}}}\n\n'
const DONE = 'data: [DONE]\n\n'

/** OpenAI's answer without include_usage. */
export const CHAT_PLAIN =
  chunk('{"role":"assistant","content":""}') + chunk('{"content":"Hello, \\"usage\\": 你好"}') + chunk('{"content":" world"}') + finishChunk() + DONE
/** The same answer with include_usage: every chunk has a usage member, and there is one more. */
export const CHAT_USAGE =
  chunk('{"role":"assistant","content":""}', ',"usage":null') +
  chunk('{"content":"Hello, \\"usage\\": 你好"}', ',"usage":null') +
  chunk('{"content":" world"}', ',"usage":null') +
  finishChunk(',"usage":null') +
  usageChunk +
  DONE

export const RESPONSES_TRANSCRIPT = [
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress","max_output_tokens":null,"usage":null}}\n\n',
  'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"msg_1"}}\n\n',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":2,"delta":"Hello"}\n\n',
  'event: response.output_text.done\ndata: {"type":"response.output_text.done","sequence_number":3,"text":"Hello"}\n\n',
  'event: response.completed\ndata: {"type":"response.completed","sequence_number":4,"response":{"id":"resp_1","status":"completed","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":120}}}\n\n',
].join('')

export const ANTHROPIC_TRANSCRIPT = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":60,"cache_creation_input_tokens":0,"cache_read_input_tokens":40,"output_tokens":1}}}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
  'event: ping\ndata: {"type": "ping"}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello max_tokens"}}\n\n',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"       }\n\n',
].join('')

export const GEMINI_TRANSCRIPT = [
  'data: {"candidates": [{"content": {"parts": [{"text": "Hel"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 100,"totalTokenCount": 100},"modelVersion": "m"}\r\n\r\n',
  'data: {"candidates": [{"content": {"parts": [{"text": "lo"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 100,"candidatesTokenCount": 3,"totalTokenCount": 103},"modelVersion": "m"}\r\n\r\n',
  'data: {"candidates": [{"content": {"parts": [{"text": "!"}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 100,"cachedContentTokenCount": 40,"candidatesTokenCount": 15,"thoughtsTokenCount": 5,"totalTokenCount": 120},"modelVersion": "m"}\r\n\r\n',
].join('')

/** The same without alt=sse. */
export const GEMINI_ARRAY_TRANSCRIPT = `[${GEMINI_TRANSCRIPT.split('\r\n\r\n')
  .filter((line) => line !== '')
  .map((line) => line.slice(6))
  .join('\n,\r\n')}\n]\n`
