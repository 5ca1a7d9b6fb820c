import Type from 'typebox';
import { createToken } from '#commands/token/create.ts';
import type { NewTokenInput } from '#commands/token/prepare.ts';
import { deleteToken } from '#commands/token/delete.ts';
import { updateToken } from '#commands/token/update.ts';
import type { TokenPatch } from '#commands/token/update.ts';
import { presentPage } from '#http/presenters/page.ts';
import { presentToken } from '#http/presenters/token.ts';
import { cardNumbersIn } from '#http/request/cardNumbers.ts';
import { warnOfMasks } from '#http/maskWarnings.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, answerToken, commandContext, reader, shownOf } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { pageQuery, paginated, tokensOfOneAnswer } from '#http/schemas/pagination.ts';
import { CreateToken, Token, UpdateToken, WrittenToken } from '#http/schemas/token.ts';
import { tokenFilterOf, tokenFilterQuery } from '#http/schemas/tokenFilter.ts';
import type { JsonObject } from '#ports/json.ts';
import { getToken } from '#queries/token/get.ts';
import { listTokens } from '#queries/token/list.ts';
import { requireStillShown } from '#queries/token/stillShown.ts';

const tags = ['Tokens'];

/** spec: Tokens */
export const tokenRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/tokens',
    rateScope: 'token_create',
    tokensIn: () => 1,
    cardNumbersIn: (body) => cardNumbersIn([body as JsonObject]),
    summary: 'Create a token',
    tags,
    permission: 'token:create',
    audits: { entity: 'token' },
    body: CreateToken,
    requireStillShown: (caller, tokens) =>
      requireStillShown(dependencies, reader({ caller }), 'token:create', tokens),
    responses: { 201: WrittenToken },
    problems: [409],
    handle: async (request) => {
      const input = request.body as NewTokenInput;
      const created = await createToken(dependencies, commandContext(request), input);
      return warnOfMasks(answerToken(201, created), [{ path: '', request: request.body as JsonObject }]);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/tokens',
    rateScope: 'token_list',
    summary: 'List tokens, newest first',
    description: tokensOfOneAnswer,
    tags,
    permission: 'token:read',
    audits: { entity: 'token' },
    query: Type.Object({ ...tokenFilterQuery, ...pageQuery }),
    responses: { 200: paginated(Token) },
    problems: [422],
    handle: async (request) => {
      const { page, size, ...filter } = request.query;
      const seeker = { ...reader(request), permission: 'token:read' } as const;
      const found = await listTokens(dependencies, seeker, [tokenFilterOf(filter)], { page, size });
      return { status: 200, body: presentPage(found, presentToken), shown: shownOf(found.items) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/tokens/:id',
    tokensIn: () => 1,
    summary: 'Get a token',
    tags,
    permission: 'token:read',
    audits: { entity: 'token' },
    responses: { 200: Token },
    handle: async (request) => {
      const shown = await getToken(dependencies, reader(request), request.params.id);
      return { status: 200, body: presentToken(shown), shown: shownOf([shown]) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/tokens/:id',
    tokensIn: () => 1,
    cardNumbersIn: (body) => cardNumbersIn([body as JsonObject]),
    summary: 'Update a token by a merge patch',
    tags,
    permission: 'token:update',
    audits: { entity: 'token' },
    body: UpdateToken,
    requireStillShown: (caller, tokens) =>
      requireStillShown(dependencies, reader({ caller }), 'token:update', tokens),
    responses: { 200: WrittenToken },
    problems: [409],
    handle: async (request) => {
      const patch = request.body as TokenPatch;
      const updated = await updateToken(dependencies, commandContext(request), request.params.id, patch);
      return warnOfMasks(answerToken(200, updated), [{ path: '', request: request.body as JsonObject }]);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/tokens/:id',
    summary: 'Delete a token',
    tags,
    permission: 'token:delete',
    audits: { entity: 'token' },
    responses: { 204: null },
    problems: [409],
    handle: async (request) =>
      answer(204, await deleteToken(dependencies, commandContext(request), request.params.id)),
  }),
];
