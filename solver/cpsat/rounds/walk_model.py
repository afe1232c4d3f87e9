"""prototype W"""
from __future__ import annotations
from collections import defaultdict
from rulewright.solver.cpsat.model.circuit import Circuit, TRUE, FALSE, LinearExpression
from rulewright.solver.cpsat.model.final_board import FinalBoard
from rulewright.solver.bounds.movement_rules import movement_rules
from rulewright.solver.bounds.reachable_states import ReachableStates
from rulewright.solver.bounds.tile_domains import tile_domains
from rulewright.solver.cpsat.model.abstract_graph import abstract_graph_of
from rulewright.solver.cpsat.model.from_question import _objective, _forgotten
from rulewright.solver.cpsat.model.guarded_values import Encoder
from rulewright.solver.cpsat.model.symbolic_algebra import SymbolicAlgebra
from rulewright.solver.cpsat.model.symbolic_state import SymbolicState
from rulewright.rules.semantics.evaluator import Evaluator, near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis
from .marker_moves import marker_moves
from .round_graph import round_graph_of

class W:
    def __init__(self, engine, root, question, options=frozenset()):
        self.o=options
        self.engine=engine; self.root=root; self.q=question
        self.an=an=DataflowAnalysis(engine, question.values)
        self.circuit=c=Circuit()
        states=ReachableStates(engine,an,root)
        board=states.board_sums(question.values).board
        self.board=board
        self.mv=movement_rules(states,board)
        self.rg=round_graph_of(engine, abstract_graph_of(engine,an,root), marker_moves(engine,an,board))
        domains=tile_domains(engine,an,board,states.kinds_to_come)
        coming=tuple(sorted(t for at in states.supplies for t in root[at]))
        fb=FinalBoard(engine,board,states.tiles(board),domains,coming,c)
        self.fb=fb
        self.window=window=engine.instance.windows[board]
        nb=an.lays_beside(board,root)
        fb._add_cells(near_directions(window,nb))
        fb._add_counts(); fb._add_exclusions()
        self.tiles=states.tiles(board)
        self.static()
        self.rounds()
        self.flow()
        if 'S' in options: self.stamps()
        if 'W' in options: self.walk()
        all_else=frozenset(engine.layout.columns)-{board}
        enc=Encoder(c)
        st=SymbolicState(engine.layout,root,all_else,_forgotten,enc,fb.slots())
        self.objective=_objective(question,Evaluator(engine.instance,SymbolicAlgebra(enc,st)),enc,1)

    def static(self):
        w,mv,fb=self.window,self.mv,self.fb
        T=mv.translatable
        self.cells=sorted(set(fb.laid)|{c for c in range(w.size) if self.tiles[c]})
        cs=set(self.cells)
        self.kinds_at={c:(list(fb.laid[c]) if c in fb.laid else [self.tiles[c]]) for c in self.cells}
        comp={}
        # allowed ends of steps
        self.out=defaultdict(list)  # c -> [(c', A, B)]
        for c in self.cells:
            for i,d in enumerate(mv.directions):
                n=w.steps[d][c]
                if n not in cs: continue
                if c in T and n in T:
                    lv,en,la=mv.leaves[i],mv.enters[i],mv.lays[i]
                    pairs=[]
                    for a in self.kinds_at[c]:
                        dom=fb._domain_beside(c,a,n) if n in fb.laid else None
                        for b in self.kinds_at[n]:
                            ok=a in lv and b in en
                            if n in fb.laid:
                                if c in fb.laid:
                                    if not (dom>>b&1 or fb._domain_beside(n,b,c)>>a&1): continue
                                ok=ok or b in la
                            if ok: pairs.append((a,b))
                    A=frozenset(a for a,_ in pairs); B=frozenset(b for _,b in pairs)
                else:
                    A=frozenset(self.kinds_at[c]);B=frozenset(self.kinds_at[n])
                if A and B: self.out[c].append((n,A,B))
        col=self.mv.markers
        assert len(col)==1
        self.start=self.root[col[0]]
        self.into=defaultdict(list)
        for c in self.cells:
            for n,A,B in self.out[c]: self.into[n].append(c)
        self._dist={}
        self._tdist={}
    def dist(self,c):
        if c not in self._dist:
            d={c:0}; f=[c]
            while f:
                g=[]
                for x in f:
                    for n,_,_ in self.out[x]:
                        if n not in d: d[n]=d[x]+1; g.append(n)
                f=g
            self._dist[c]=d
        return self._dist[c]
    def rounds(self):
        fb,c=self.fb,self.circuit
        by=list(self.rg.laid_by())
        steps=[max(x.steps for x in l) for l in self.rg.layers]
        self.S=steps
        d0=self.dist(self.start)
        # tiles needed
        need={self.start:0}; f=[self.start]
        import heapq
        h=[(0,self.start)]
        while h:
            k,x=heapq.heappop(h)
            if need[x]<k: continue
            for n,_,_ in self.out[x]:
                v=k+(n in fb.laid)
                if v<need.get(n,99): need[n]=v; heapq.heappush(h,(v,n))
        self.need=need
        self.x=defaultdict(dict) # cell -> {(k,r):lit}
        kinds=[{k for e in l for k in e.laid} for l in self.rg.layers]
        self.reach=[]
        cum=0
        for r in range(len(steps)):
            cum+=steps[r]
            self.reach.append({cell for cell in self.cells if d0.get(cell,99)<=cum and need.get(cell,99)<=by[r]})
        for cell,ks in fb.laid.items():
            for k,lit in ks.items():
                lits=[]
                for r in range(len(steps)):
                    if cell in self.reach[r] and k in kinds[r]:
                        l=c.new_literal(); self.x[cell][k,r]=l; lits.append(l)
                c.add_linear([(-1,lit),*((1,l) for l in lits)],0,0)
        R=len(steps)
        self.xr=defaultdict(dict); self.z=defaultdict(dict)
        for cell,d in self.x.items():
            prev=FALSE
            for r in range(R):
                ls=[l for (k,rr),l in d.items() if rr==r]
                if ls:
                    y=c.new_literal(); c.add_linear([(-1,y),*((1,l) for l in ls)],0,0)
                    self.xr[cell][r]=y
                    if prev==FALSE: prev=y
                    else:
                        z=c.new_literal(); c.add_linear([(-1,z),(1,prev),(1,y)],0,0); prev=z
                self.z[cell][r]=prev
    def flow(self):
        c=self.circuit
        self.f=[]
        inflow={0:[TRUE]}
        for r,layer in enumerate(self.rg.layers):
            lits={e:c.new_literal() for e in layer}
            by=defaultdict(list); nxt=defaultdict(list)
            for e,l in lits.items(): by[e.source].append(l); nxt[e.target].append(l)
            for n,ls in by.items():
                c.add_linear([*((1,l) for l in ls),*((-1,l) for l in inflow[n])],0,0)
            for n in inflow:
                if n not in by and r==-1: pass
            inflow=nxt
            self.f.append(lits)
            for k in {k for e in layer for k in e.laid}:
                xs=[d[k,r] for d in self.x.values() if (k,r) in d]
                c.add_linear([*((1,l) for l in xs),*((-e.laid.count(k),l) for e,l in lits.items() if k in e.laid)],0,0)
    def budget(self,r,t):
        """lit-terms of edges with steps >= t"""
        return [l for e,l in self.f[r].items() if e.steps>=t]
    def occupied_terms(self,cell,r):
        return None if self.tiles[cell] else self.z[cell].get(r,FALSE)
    def u(self,a,b,A,B):
        key=(a,b)
        if key in self._u: return self._u[key]
        c=self.circuit; fb=self.fb
        conds=[]
        for cell,K in ((a,A),(b,B)):
            if cell in fb.laid and len(K)<len(fb.laid[cell]):
                conds.append([fb.laid[cell][k] for k in K])
            elif cell not in fb.laid and self.tiles[cell] not in K:
                self._u[key]=FALSE; return FALSE
        if not conds: self._u[key]=TRUE; return TRUE
        u=c.new_literal()
        for ls in conds: c.add_clause(-u,*ls)
        self._u[key]=u
        return u
    def walk(self):
        c=self.circuit; self._u={}
        R=len(self.S)
        P={self.start:TRUE}
        self.P=[]
        for r in range(R):
            ok=self.reach[r]
            rows=[P]
            mprev=TRUE
            for s in range(self.S[r]):
                m=c.new_literal()
                c.add_linear([(1,m),*((-1,l) for l in self.budget(r,s+1))],None,0)
                c.add_clause(-m,mprev); mprev=m
                Q={}
                cand=set(P)|{n for a in P for n,_,_ in self.out[a] if n in ok}
                for n in cand:
                    Q[n]=c.new_literal()
                c.add_linear([(1,l) for l in Q.values()],1,1)
                for n,l in Q.items():
                    prev=[P[a] for a in self.into[n] if a in P]
                    stay=P.get(n,FALSE)
                    c.add_clause(-l,m,stay)        # not moved -> stays
                    c.add_linear([(1,l),(1,m),*((-1,p) for p in prev)],None,1) # l & m -> some prev
                    c.add_clause(-l,-m,-stay)
                    c.add_linear([(1,l),*((-1,p) for p in (*prev,stay))],None,0)
                for a,la in P.items():
                    for n,A,B in self.out[a]:
                        if n in Q:
                            u=self.u(a,n,A,B)
                            if u!=TRUE: c.add_clause(-la,-Q[n],u)
                    nxt=[Q[n] for n,_,_ in self.out[a] if n in Q]
                    c.add_linear([(1,la),*((-1,p) for p in (*nxt,Q[a]))],None,0)
                for n,l in Q.items():
                    if not self.tiles[n]:
                        c.add_clause(-l,self.z[n].get(r,FALSE))
                P=Q; rows.append(P)
            for cell,d in self.xr.items():
                if r in d:
                    c.add_linear([(1,d[r]),*((-1,row[cell]) for row in rows[1:] if cell in row)],None,0)
            self.P.append(rows)
    def stamps(self):
        """rounds' ends, balls, detours, parents by water"""
        c=self.circuit; self._u={}
        R=len(self.S)
        pos=[{self.start:TRUE}]
        for r in range(R):
            B=self.S[r]
            ok=self.reach[r]; prev=pos[-1]
            cand={n for a in prev for n,d in self.dist(a).items() if d<=B and n in ok}
            Q={n:c.new_literal() for n in cand}
            c.add_linear([(1,l) for l in Q.values()],1,1)
            for n,l in Q.items():
                if not self.tiles[n]: c.add_linear([(1,l),(-1,self.z[n].get(r,FALSE))],None,0)
                if r: c.add_linear([(1,l),*((-1,la) for a,la in prev.items() if self.dist(a).get(n,99)<=B)],None,0)
            pos.append(Q)
        self.pos=pos
        for r in range(R):
            B=self.S[r]
            for cell,d in self.xr.items():
                if r not in d: continue
                y=d[r]
                din={a:self.dist(a).get(cell,99) for a in pos[r]}
                dout={e:self.dist(cell).get(e,99) for e in pos[r+1]}
                least=min(din.values())
                if least>B: c.add_clause(-y); continue
                last=None
                for h in range(max(least-1,0),B):
                    first=[la for a,la in pos[r].items() if din[a]<=h]
                    if TRUE in first: break
                    then=[le for e,le in pos[r+1].items() if dout[e]<=B-h-1]
                    c.add_linear([(1,y),*((-1,l) for l in (*first,*then))],None,0)
                if not any(la==TRUE for la in pos[r].values()):
                    c.add_linear([(1,y),*((-1,la) for a,la in pos[r].items() if din[a]<=B)],None,0)
        if 'P' in self.o: self.parents()
        if '2' in self.o:
            for r in range(R):
                B=self.S[r]
                cs=[x for x,d in self.xr.items() if r in d]
                for i,a in enumerate(cs):
                    da=self.dist(a)
                    for b in cs[:i]:
                        D=da.get(b,99)
                        if D<3: continue
                        near=[]
                        for s,l in pos[r].items():
                            ds=self.dist(s)
                            if min(ds.get(a,99)+D,ds.get(b,99)+self.dist(b).get(a,99))<=B: near.append(l)
                        if TRUE in near or len(near)==len(pos[r]): continue
                        if len(near)>40: continue
                        c.add_linear([(1,self.xr[a][r]),(1,self.xr[b][r]),*((-1,l) for l in near)],None,1)
    def parents(self):
        c=self.circuit; R=len(self.S); fb=self.fb
        # order: stamp (r,i) flattened: order literals o[cell][q] "laid by q" via level chain
        N=sum(1 for _ in fb.coming)
        # depth within connected new tiles: lev[cell] 1..N, unary le[cell][q]: level<=q
        le={}
        for cell in self.xr:
            need=self.need[cell]
            le[cell]={q:c.new_literal() for q in range(need,N)}
            for q in range(need,N-1): c.add_clause(-le[cell][q],le[cell][q+1])
        def LE(cell,q):
            if self.tiles[cell]: return TRUE
            if q>=N: return TRUE
            return le[cell].get(q,FALSE) if cell in le else FALSE
        for cell,d in self.xr.items():
            on=list(fb.laid[cell].values())
            arcs=[]
            for n in self.into[cell]:
                A,B=next((A,B) for m,A,B in self.out[n] if m==cell)
                u=self.u(n,cell,A,B)
                if u==FALSE: continue
                if n not in fb.laid: arcs.append(u); continue
                if n not in self.xr: continue
                g=c.new_literal(); arcs.append(g)
                if u!=TRUE: c.add_clause(-g,u)
                c.add_linear([(1,g),*((-1,l) for l in fb.laid[n].values())],None,0)
                for q in range(1,N+1):
                    # level(cell)<=q -> level(n)<=q-1
                    c.add_clause(-g,-LE(cell,q),LE(n,q-1))
                # rounds
                for r in range(R):
                    zc,zn=self.z[cell].get(r,FALSE),self.z[n].get(r,FALSE)
                    if zc!=FALSE: c.add_clause(-g,-zc,zn)
            c.add_linear([*((1,l) for l in on),*((-1,g) for g in arcs)],None,0)
            for r in range(R):
                if r in d:
                    ns=[self.z[n].get(r,FALSE) if not self.tiles[n] else TRUE for n in self.into[cell]]
                    if TRUE not in ns: c.add_linear([(1,d[r]),*((-1,l) for l in ns)],None,0)
