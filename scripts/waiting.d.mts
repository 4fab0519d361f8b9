export function waitOn(env: NodeJS.ProcessEnv): { say(text: { en: string; zh: string }): void; close(): Promise<unknown> }
