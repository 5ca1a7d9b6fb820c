import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type * as grpc from '@grpc/grpc-js';
import { serviceError } from '#test/support/eventstoredb/failures.ts';
import type { Failure } from '#test/support/eventstoredb/failures.ts';

export type Member = { port: number; state: 'leader' | 'follower'; alive: boolean };

type ClusterInfo = InstanceType<typeof gossipMessages.ClusterInfo>;

/** What a node tells of its cluster, how often it was asked, and how it fails to. */
export class Gossip {
  asked = 0;
  /** Undefined: the node itself alone, as leader. */
  members: Member[] | undefined;
  /** Undefined: it answers. */
  failure: Failure | 'hangs' | undefined;

  addTo(server: grpc.Server, ownPort: () => number): void {
    server.addService(gossipServices.GossipService, {
      read: (_call: unknown, reply: grpc.sendUnaryData<ClusterInfo>) => {
        this.asked += 1;
        if (this.failure === 'hangs') return;
        if (this.failure !== undefined) {
          reply(serviceError(this.failure));
          return;
        }
        const members = this.members ?? [{ port: ownPort(), state: 'leader', alive: true }];
        reply(null, new gossipMessages.ClusterInfo().setMembersList(members.map(memberInfo)));
      },
    });
  }
}

function memberInfo({ port, state, alive }: Member): InstanceType<typeof gossipMessages.MemberInfo> {
  const states = gossipMessages.MemberInfo.VNodeState;
  return new gossipMessages.MemberInfo()
    .setState(state === 'leader' ? states.LEADER : states.FOLLOWER)
    .setIsAlive(alive)
    .setTimeStamp('0')
    .setHttpEndPoint(new gossipMessages.EndPoint().setAddress('127.0.0.1').setPort(port));
}
