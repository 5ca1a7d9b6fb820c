import Type from 'typebox';
import { placeOf } from '#http/cursor.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentStretch } from '#http/presenters/stretch.ts';
import { presentToken } from '#http/presenters/token.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { reader, shownOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { closed } from '#http/schemas/closed.ts';
import { emptyable } from '#http/schemas/emptyable.ts';
import { nullable } from '#http/schemas/nullable.ts';
import {
  cursorQuery,
  pageDefaults,
  pageQuery,
  paginated,
  stretched,
  tokensOfOneAnswer,
} from '#http/schemas/pagination.ts';
import { Token } from '#http/schemas/token.ts';
import { tokenFilterOf, tokenFilterQuery } from '#http/schemas/tokenFilter.ts';
import { listTokens } from '#queries/token/list.ts';
import { listTokensAfter } from '#queries/token/listAfter.ts';
import { parseQuery } from '#queries/token/search/parse.ts';

const tags = ['Tokens'];
const query = Type.Optional(
  nullable(
    Type.String({
      maxLength: 1_000,
      description:
        '`field:value` terms joined by AND and OR, and grouped by parentheses; AND binds stronger. Fields: id, data (a search index, exact), metadata.<name> (without regard to case), type, fingerprint, container, created_at (`2026-11-21` or `[2026-01-01 TO *]`: a day is all of it, in UTC; or a moment). Values with spaces stand in quotes. At most 25 alternatives; no wildcards.',
      examples: ['metadata.user_id:34445', 'data:"123-45-6789"', 'type:(card OR bank) AND container:/pci/'],
    }),
  ),
);

/** Source: reference of token search, and of the second version of list and search. */
export const tokenSearchRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/tokens/search',
    rateScope: 'token_search',
    summary: 'Search tokens, newest first',
    description: tokensOfOneAnswer,
    tags,
    permission: 'token:search',
    audits: { entity: 'token', operation: 'read' },
    idempotent: false,
    // Models of client libraries have the members of both versions.
    body: closed(
      {
        query,
        page: Type.Optional(nullable(pageQuery.page)),
        size: Type.Optional(nullable(pageQuery.size)),
      },
      ['start'],
    ),
    responses: { 200: paginated(Token) },
    problems: [422],
    handle: async (request) => {
      const { page, size, query: text } = request.body;
      const seeker = { ...reader(request), permission: 'token:search' } as const;
      const wanted = { page: page ?? pageDefaults.page, size: size ?? pageDefaults.size };
      const found = await listTokens(dependencies, seeker, parseQuery(text ?? ''), wanted);
      return { status: 200, body: presentPage(found, presentToken), shown: shownOf(found.items) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v2/tokens',
    summary: 'List tokens, newest first, from a cursor on',
    description: tokensOfOneAnswer,
    tags,
    permission: 'token:read',
    audits: { entity: 'token' },
    query: Type.Object({ ...tokenFilterQuery, ...cursorQuery }),
    responses: { 200: stretched(Token) },
    problems: [422],
    handle: async (request) => {
      const { start, size, ...filter } = request.query;
      const seeker = { ...reader(request), permission: 'token:read' } as const;
      const place = start === undefined ? undefined : placeOf(start);
      const extent = { start: place, size };
      const found = await listTokensAfter(dependencies, seeker, [tokenFilterOf(filter)], extent);
      return { status: 200, body: presentStretch(found, presentToken), shown: shownOf(found.items) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v2/tokens/search',
    summary: 'Search tokens, newest first, from a cursor on',
    description: tokensOfOneAnswer,
    tags,
    permission: 'token:search',
    audits: { entity: 'token', operation: 'read' },
    idempotent: false,
    body: closed(
      {
        query,
        start: Type.Optional(emptyable(cursorQuery.start)),
        size: Type.Optional(nullable(cursorQuery.size)),
      },
      ['page'],
    ),
    responses: { 200: stretched(Token) },
    problems: [422],
    handle: async (request) => {
      const { query: text, start, size } = request.body;
      const seeker = { ...reader(request), permission: 'token:search' } as const;
      const place = start === undefined || start === null ? undefined : placeOf(start);
      const extent = { start: place, size: size ?? pageDefaults.size };
      const found = await listTokensAfter(dependencies, seeker, parseQuery(text ?? ''), extent);
      return { status: 200, body: presentStretch(found, presentToken), shown: shownOf(found.items) };
    },
  }),
];
