extension HTMLPage {
    /// How the page looks, by day and by night, on a phone and on a desk.
    static let style: StaticString = """

        :root{color-scheme:light dark;--paper:#fafaf8;--panel:#fff;--ink:#1c1c1a;--dim:#63635e;--line:#e3e2dc}
        @media(prefers-color-scheme:dark){:root{--paper:#161615;--panel:#20201e;--ink:#ececE8;--dim:#a3a39c;--line:#35352f}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:1180px;padding:20px;background:var(--paper);color:var(--ink);
        font:15px/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums}
        h1{font-size:1.5rem;margin:0}h2{font-size:.85rem;font-weight:500;color:var(--dim);margin:0 0 6px}
        header p{margin:2px 0;color:var(--dim)}.warn{color:#b45309}
        .sums{display:grid;grid-template-columns:repeat(auto-fit,minmax(158px,1fr));gap:10px;margin:16px 0}
        .sums div,.panel{background:var(--panel);border:1px solid var(--line);border-radius:10px}
        .sums div{padding:9px 13px}dt{color:var(--dim);font-size:.8rem}dd{margin:0;font-size:1.08rem;font-weight:600}
        .panel{margin:0 0 14px;overflow:hidden}.view{position:relative}
        #map{display:block;width:100%;background:#f3f1ea;touch-action:none;cursor:grab;max-height:82vh}
        #map:active{cursor:grabbing}
        .here{stroke:#111;stroke-width:15;stroke-linecap:round;pointer-events:none}
        .tools{position:absolute;top:10px;right:10px;display:grid;gap:6px}
        .tools button{width:38px;height:38px;border:1px solid #0003;border-radius:8px;background:#fffd;color:#222;
        font-size:1.15rem;cursor:pointer}
        .bar{position:absolute;left:14px;bottom:12px;border:2px solid #333;border-top:0;color:#222;font-size:.75rem;
        padding:0 5px 1px;line-height:1.2;text-shadow:0 0 3px #fff,0 0 3px #fff;pointer-events:none;white-space:nowrap}
        .view>.credit{position:absolute;right:0;bottom:0;background:#fffc;color:#333;font-size:.7rem;padding:1px 6px}
        figcaption{display:flex;flex-wrap:wrap;align-items:center;gap:0 0;padding:10px 14px;font-size:.8rem;color:var(--dim);
        min-height:42px}
        figcaption i{width:26px;height:9px}figcaption span{margin:0 7px}
        figcaption span:first-child{margin-left:0}
        figcaption b{font-weight:400;margin-left:14px}figcaption b::before{content:"";display:inline-block;width:10px;
        height:10px;border-radius:5px;margin-right:5px}
        .d1::before{background:#15803d}.d2::before{background:#b91c1c}.d3::before{background:#b45309}
        .d4::before{border-radius:0!important;height:0!important;width:18px!important;border-top:2px dashed #c2410c;
        vertical-align:middle}
        .k0{background:#482878}.k1{background:#3e4a89}.k2{background:#2c728e}.k3{background:#21908c}
        .k4{background:#35b779}.k5{background:#8fc93a}
        .graph{padding:11px 14px 30px;overflow:visible}.plot{position:relative;height:150px}
        .plot svg{width:100%;height:100%;display:block;touch-action:pan-y;cursor:crosshair}
        .plot .grid{stroke:var(--line)}.cursor{stroke:var(--ink);stroke-width:1}
        .plot span{position:absolute;font-size:.72rem;color:var(--dim);pointer-events:none}
        .y{left:2px;transform:translateY(-100%)}.x{bottom:-20px;transform:translateX(-50%)}
        .tip{position:absolute;top:4px;background:var(--ink);color:var(--paper);border-radius:6px;padding:3px 8px;
        font-size:.78rem;pointer-events:none;white-space:nowrap;display:none}
        summary{padding:11px 14px;cursor:pointer}em{color:var(--dim);font-style:normal}
        table{width:100%;border-collapse:collapse;font-size:.88rem}
        td{padding:5px 14px;border-top:1px solid var(--line)}
        details p{padding:0 14px}footer{color:var(--dim);font-size:.78rem;padding:6px 0}
        @media(max-width:640px){body{padding:10px}.odd{display:none}.plot{height:120px}
        .sums{gap:7px;grid-template-columns:1fr 1fr}.sums div{padding:7px 10px}
        figcaption b{margin-left:10px}}
        @media print{.tools{display:none}.panel{break-inside:avoid}}

        """

    /// Zoom, drag, and one place shown in map and charts together.
    ///
    /// `D` is the data.
    static let script: StaticString = """
        const $=s=>document.querySelector(s),$$=s=>[...document.querySelectorAll(s)];
        const map=$('#map');
        if(map){
        const full=map.viewBox.baseVal,W=full.width,H=full.height,here=$('#here'),bar=$('#bar');
        const barText=bar.textContent;let v={x:0,y:0,w:W};
        const put=()=>{v.w=Math.min(W,Math.max(W/200,v.w));const h=v.w*H/W;
        v.x=Math.max(0,Math.min(W-v.w,v.x));v.y=Math.max(0,Math.min(H-h,v.y));
        map.setAttribute('viewBox',`${v.x} ${v.y} ${v.w} ${h}`);
        bar.style.visibility=v.w<W*.999?'hidden':'visible';bar.textContent=barText};
        const at=(cx,cy)=>{const r=map.getBoundingClientRect(),k=Math.min(r.width/W,r.height/H);
        return{x:v.x+(cx-r.left-(r.width-W*k)/2)/(W*k)*v.w,y:v.y+(cy-r.top-(r.height-H*k)/2)/(W*k)*v.w,k:v.w/(W*k)}};
        const zoom=(f,cx,cy)=>{const r=map.getBoundingClientRect();
        cx??=r.left+r.width/2;cy??=r.top+r.height/2;const p=at(cx,cy),w=v.w;
        v.w=Math.min(W,Math.max(W/200,w*f));const g=v.w/w;v.x=p.x-(p.x-v.x)*g;v.y=p.y-(p.y-v.y)*g;put()};
        $('#in').onclick=()=>zoom(.5);$('#out').onclick=()=>zoom(2);$('#all').onclick=()=>{v={x:0,y:0,w:W};put()};
        map.addEventListener('wheel',e=>{e.preventDefault();zoom(e.deltaY<0?.8:1.25,e.clientX,e.clientY)},{passive:false});
        const down=new Map();
        map.addEventListener('pointerdown',e=>{down.set(e.pointerId,e);map.setPointerCapture(e.pointerId)});
        for(const n of['pointerup','pointercancel'])map.addEventListener(n,e=>down.delete(e.pointerId));
        map.addEventListener('pointermove',e=>{const o=down.get(e.pointerId);
        if(!o){near(e);return}
        if(down.size>1){const q=[...down.values()].find(p=>p.pointerId!==e.pointerId);
        const a=Math.hypot(o.clientX-q.clientX,o.clientY-q.clientY),b=Math.hypot(e.clientX-q.clientX,e.clientY-q.clientY);
        if(a>0&&b>0)zoom(a/b,q.clientX,q.clientY)}
        else{const k=at(0,0).k;v.x-=(e.clientX-o.clientX)*k;v.y-=(e.clientY-o.clientY)*k;put()}
        down.set(e.pointerId,e)});
        const near=e=>{const p=at(e.clientX,e.clientY);let b=null,m=(14*p.k)**2;
        for(const d of D){const s=(d[1]-p.x)**2+(d[2]-p.y)**2;if(s<m){m=s;b=d}}show(b)};
        const show=d=>{here.setAttribute('d',d?`M${d[1]} ${d[2]}h0`:'');
        $$('.plot').forEach(p=>{const c=p.querySelector('.cursor'),t=p.querySelector('.tip');
        c.setAttribute('d',d?`M${d[0]} 0V1000`:'');t.style.display=d?'block':'none';if(!d)return;
        t.textContent=[d[5],d[3],d[4]].filter(Boolean).join('   ');
        const l=d[0]/1000*p.clientWidth;t.style.left=Math.max(0,Math.min(p.clientWidth-t.offsetWidth,l+8))+'px'})};
        $$('.plot').forEach(p=>{const go=e=>{const r=p.getBoundingClientRect(),x=(e.clientX-r.left)/r.width*1000;
        let b=null,m=40;for(const d of D){const s=Math.abs(d[0]-x);if(s<m){m=s;b=d}}show(b)};
        p.addEventListener('pointermove',go);p.addEventListener('pointerdown',go);
        p.addEventListener('pointerleave',()=>show(null))});
        map.addEventListener('pointerleave',()=>show(null));
        }

        """
}
