import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createApi } from '#platform/web/calls/api.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useOnline } from '#platform/web/online.ts'
import { mailboxContract } from '../contract.ts'
import type { Mailbox } from '../contract.ts'
import { mailboxErrors } from '../errors.ts'
import { mailboxTexts } from '../texts.ts'

export const mailboxApi = createApi(mailboxContract, { alone: true, errors: mailboxErrors, texts: mailboxTexts })

const PAGE_SIZE = 30
const WAIT_S = 20
const RETRY_MS = 1_500
const BOXES = ['mailbox', 'boxes'] as const

export const useMailboxes = () => useQuery({ queryKey: BOXES, queryFn: async ({ signal }) => (await mailboxApi.emailGet({}, { signal })).rowList })
export const useMailboxCount = () => useQuery({ queryKey: ['mailbox', 'count'], queryFn: ({ signal }) => mailboxApi.emailCount({}, { signal }) })
export const useSuffixes = () =>
  useQuery({ queryKey: ['mailbox', 'suffixes'], queryFn: async ({ signal }) => (await mailboxApi.emailAddress({}, { signal })).suffixList, staleTime: 600_000 })

export const useMails = (id: string) =>
  useInfiniteQuery({
    queryKey: ['mailbox', 'mails', id],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => mailboxApi.emailList({ id, pageNum: pageParam, pageSize: PAGE_SIZE }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })
export const useMail = (id: string) =>
  useQuery({
    queryKey: ['mailbox', 'mail', id],
    queryFn: ({ signal }) => mailboxApi.emailRead({ id }, { signal }),
    enabled: id !== '',
    staleTime: 200_000,
    gcTime: 0,
  })

/** Shows the mailbox from a response at once; if its state changed, refreshes the balance too. */
export function cacheMailbox(box: Mailbox): void {
  const before = queryClient.getQueryData<Mailbox[]>(BOXES)?.find(({ id }) => id === box.id)
  if (before?.state !== box.state) void queryClient.invalidateQueries({ queryKey: ['wallet'] })
  queryClient.setQueryData<Mailbox[]>(BOXES, (old) =>
    old?.some(({ id }) => id === box.id) ? old.map((one) => (one.id === box.id ? box : one)) : [box, ...(old ?? [])],
  )
}
export function refreshMailboxes(): void {
  for (const what of ['boxes', 'count']) void queryClient.invalidateQueries({ queryKey: ['mailbox', what] })
}
export function refreshMails(id: string): void {
  void queryClient.invalidateQueries({ queryKey: ['mailbox', 'mails', id] })
}

const isLive = ({ state }: Mailbox) => state === 'draft' || state === 'generating' || state === 'fresh' || state === 'success'

/** Long polling: the server responds as soon as the mailbox changes. */
export function useLiveMailbox(box: Mailbox | undefined): void {
  const online = useOnline()
  const id = box && isLive(box) ? box.id : undefined
  useEffect(() => {
    if (!id || !online) return
    const stop = new AbortController()
    void followMailbox(id, stop.signal)
    return () => stop.abort()
  }, [id, online])
}

async function followMailbox(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const known = queryClient.getQueryData<Mailbox[]>(BOXES)?.find((one) => one.id === id)
    if (!known || !isLive(known)) return
    try {
      const box = await mailboxApi.emailRefresh({ id, version: known.version, waitSeconds: WAIT_S }, { signal, timeoutMs: (WAIT_S + 15) * 1000 })
      if (signal.aborted) return
      if (box.version === known.version) continue
      cacheMailbox(box)
      if (box.isOpen) refreshMails(id)
    } catch {
      await new Promise((done) => setTimeout(done, RETRY_MS))
    }
  }
}
