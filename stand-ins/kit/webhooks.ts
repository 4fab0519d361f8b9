/** A webhook as a vendor sends it. */
export interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A queue that retries each webhook after the seconds of `schedule`, then gives up. `deliver` sends those due and returns their number. */
export function createWebhookQueue(now: () => Date, schedule: readonly number[], isAccepted: (reply: { status: number; body: string }) => boolean) {
  const queue: { url: string; make: () => SentWebhook; tries: number; dueAt: number }[] = []
  return {
    queue: (url: string, make: () => SentWebhook) => {
      queue.push({ url, make, tries: 0, dueAt: now().getTime() })
    },
    deliver: async (): Promise<number> => {
      const due = queue.filter(({ dueAt }) => dueAt <= now().getTime())
      for (const each of due) {
        const sent = each.make()
        const reply = await fetch(each.url, { method: 'POST', headers: sent.headers, body: new Uint8Array(sent.body), redirect: 'manual' })
          .then(async (answer) => ({ status: answer.status, body: await answer.text() }))
          .catch(() => ({ status: 0, body: '' }))
        const wait = schedule[each.tries++]
        if (isAccepted(reply) || wait === undefined) queue.splice(queue.indexOf(each), 1)
        else each.dueAt = now().getTime() + wait * 1000
      }
      return due.length
    },
  }
}
